// Signing in: with the code of a link, or with an API key that is exchanged and forgotten.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { signIn } from "./api.js";
import { t } from "./texts.js";

const NAME = "gantry.name"; // who sits here; no secret

/** The code of the address, or the key of a wall, which is taken out of it before anything else happens. */
const [, kind, secret] = /^#(code|key)=([a-z0-9]+)$/.exec(location.hash) ?? [];
export const code = secret;
if (location.hash) {
  history.replaceState(null, "", location.pathname + location.search);
}

let unused = secret ?? "";
const screen = kind === "key"; // nobody sits there

/** `again` is where the session has ended, and what was typed is kept. */
export function SignIn({ again = false }) {
  const [name, setName] = useState(screen ? t("Wall") : (localStorage.getItem(NAME) ?? ""));
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [byCode, setByCode] = useState(Boolean(unused));
  const submit = async (/** @type {any} */ event = null) => {
    event?.preventDefault();
    const key = screen && unused ? unused : event?.target.elements.key?.value.trim();
    setBusy(true);
    setProblem("");
    try {
      await signIn(name.trim(), { code: key ? undefined : unused, key });
      screen || localStorage.setItem(NAME, name.trim());
    } catch (/** @type {any} */ refused) {
      setByCode(false);
      setProblem(
        refused.status === 401 && key
          ? t("This key is not valid. Check that you copied all of it.")
          : (refused.details[0]?.message ?? refused.message),
      );
      setBusy(false);
    } finally {
      unused = "";
    }
  };
  useEffect(() => {
    document.title = t("Sign in · Gantry");
    if (unused && name) {
      submit();
    }
  }, []);
  return html`<main class="signin">
    <form onSubmit=${submit}>
      <h1>${t("Gantry")}</h1>
      ${again && html`<p>${t("Your session has ended. Sign in again to continue.")}</p>`}
      <label>${t("Your name")}
        <input name="name" autocomplete="name" required maxlength="100" value=${name} onInput=${(event) => setName(event.target.value)} />
        <small>${t("It is shown in the audit log beside what you do.")}</small>
      </label>
      ${
        byCode ||
        html`<label>${t("API key")}
        <input name="key" type="password" autocomplete="off" required />
        <small>${t("Exchanged once for a session of 30 days; it is not kept here.")}</small>
      </label>`
      }
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <button class="primary" disabled=${busy}>${t("Sign in")}</button>
    </form>
  </main>`;
}
