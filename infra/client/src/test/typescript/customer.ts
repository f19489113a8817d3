// Uploads a file, prints it, and verifies the deliveries that the test passes on the standard input.
import {
  BuildsApi, Configuration, PartInsertTypeEnum, PartsApi, PrintJobsApi, StorageApi,
} from "./client";

// What this program needs of Node.js, whose types are not installed.
declare const process: {
  env: Record<string, string>;
  exit(code: number): never;
  getBuiltinModule(name: "fs"): { readFileSync(file: string): ArrayBuffer };
  stdin: AsyncIterable<Uint8Array>;
};

interface Delivery {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
}

const { URL: basePath, KEY, FILE, SECRET } = process.env;
const configuration = new Configuration({
  basePath,
  headers: { Authorization: `ApiKey ${KEY}`, Prefer: "handling=strict" },
});

/** Calls a function every second until its result is what is waited for. */
async function until<T>(call: () => Promise<T>, isDone: (result: T) => boolean): Promise<T> {
  for (;;) {
    const result = await call();
    if (isDone(result)) {
      return result;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function print(): Promise<string> {
  const { signedUrls: [upload] } = await new StorageApi(configuration).storageSignedUploadUrls({
    storageUploadRequest: { filenames: ["customer.gcode"] },
  });
  const stored = await fetch(upload.uploadUrl, { method: "PUT", body: process.getBuiltinModule("fs").readFileSync(FILE) });
  if (!stored.ok) {
    throw new Error(`the upload was answered ${stored.status}`);
  }
  const parts = new PartsApi(configuration);
  const { id } = await parts.createPart({
    partInsert: { name: "Customer's part", type: PartInsertTypeEnum.Gcode, fileUris: [upload.path] },
  });
  await until(() => parts.getPart({ id }), (part) => part.processingStatus == null);
  const { partBuilds: [build] } = await new BuildsApi(configuration).createBuildV2({
    buildRequest: { parts: [{ partId: id, quantity: 1 }] },
  });
  const jobs = new PrintJobsApi(configuration);
  const { data: [job] } = await jobs.searchPrintJobs({ searchRequest: { filter: { partBuildId: build.id } } });
  const ended = await until(
    () => jobs.getPrintJob({ id: job.id! }),
    ({ status }) => ["Completed", "Failed", "Cancelled"].includes(status!),
  );
  return ended.status!;
}

async function isGenuine({ id, timestamp, signature, body }: Delivery): Promise<boolean> {
  const bytes = Uint8Array.from(atob(SECRET.replace("whsec_", "")), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const sent = Uint8Array.from(atob(signature.split(",")[1]), (character) => character.charCodeAt(0));
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  return isRecent && crypto.subtle.verify("HMAC", key, sent, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
}

async function main() {
  console.log(await print());
  let text = "";
  for await (const chunk of process.stdin) {
    text += new TextDecoder().decode(chunk);
  }
  for (const line of text.trim().split("\n")) {
    console.log((await isGenuine(JSON.parse(line))) ? "genuine" : "forged");
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
