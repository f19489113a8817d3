"""Uploads a file, prints it, and verifies the deliveries that the test passes on the standard input."""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.request
from pathlib import Path

import gantry_client as gantry


def until(call, is_done):
    """Calls a function every second until its result is what is waited for."""
    while not is_done(result := call()):
        time.sleep(1)
    return result


def print_part(client):
    upload = gantry.StorageApi(client).storage_signed_upload_urls(
        gantry.StorageUploadRequest(filenames=["customer.gcode"])
    ).signed_urls[0]
    urllib.request.urlopen(
        urllib.request.Request(upload.upload_url, Path(os.environ["FILE"]).read_bytes(), method="PUT")
    ).close()
    parts = gantry.PartsApi(client)
    part = parts.create_part(gantry.PartInsert(name="Customer's part", type="gcode", file_uris=[upload.path]))
    until(lambda: parts.get_part(part.id), lambda read: read.processing_status is None)
    built = gantry.BuildsApi(client).create_build_v2(
        gantry.BuildRequest(parts=[gantry.BuildRequestRequestedPart(part_id=part.id, quantity=1)])
    )
    jobs = gantry.PrintJobsApi(client)
    found = jobs.search_print_jobs(gantry.SearchRequest(filter={"partBuildId": built.part_builds[0].id}))
    ended = until(
        lambda: jobs.get_print_job(found.data[0].id),
        lambda job: job.status in ("Completed", "Failed", "Cancelled"),
    )
    return ended.status


def is_genuine(delivery):
    signed = f"{delivery['id']}.{delivery['timestamp']}.{delivery['body']}".encode()
    key = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    is_recent = abs(time.time() - int(delivery["timestamp"])) < 300
    return is_recent and hmac.compare_digest(expected, delivery["signature"])


client = gantry.ApiClient(gantry.Configuration(host=os.environ["URL"]))
client.set_default_header("Authorization", "ApiKey " + os.environ["KEY"])
client.set_default_header("Prefer", "handling=strict")
print(print_part(client), flush=True)
for line in sys.stdin:
    print("genuine" if is_genuine(json.loads(line)) else "forged", flush=True)
