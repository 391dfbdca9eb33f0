import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { findFreePort } from "#lib/embedded/free-port.ts";

const WINDOW = join(import.meta.dirname, "window.py");
const COMMAND_TIMEOUT_MS = 30_000;
const PATIENCE = { timeout: COMMAND_TIMEOUT_MS, intervals: [100] };
/** By which WebDriver names an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Safari's engine, as WebKitGTK has it, on a screen of its own; by WebDriver (W3C). */
export class WebKit {
  readonly #processes: readonly ChildProcess[];
  readonly #session: string;

  private constructor(processes: readonly ChildProcess[], session: string) {
    this.#processes = processes;
    this.#session = session;
  }

  static async start(size: { readonly width: number; readonly height: number }): Promise<WebKit> {
    const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1200x24"], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    const [display] = await once(screen.stdio[3] as NodeJS.ReadableStream, "data");
    const port = await findFreePort();
    const env = { ...process.env, DISPLAY: `:${String(display).trim()}`, WEBKIT_DISABLE_COMPOSITING_MODE: "1" };
    // Its sandbox needs rights that root in a container may lack.
    const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
      stdio: "ignore",
      env: { ...env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
    });
    const processes = [driver, screen];
    const url = `http://127.0.0.1:${port}`;
    try {
      await expect(async () => expect((await fetch(`${url}/status`)).ok).toBe(true)).toPass(PATIENCE);
      const options = { "webkitgtk:browserOptions": { binary: WINDOW, args: [] } };
      const { sessionId } = await call("POST", `${url}/session`, { capabilities: { alwaysMatch: options } });
      const webKit = new WebKit(processes, `${url}/session/${sessionId}`);
      await webKit.#do("POST", "window/rect", size);
      return webKit;
    } catch (error) {
      for (const child of processes) child.kill();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await call("DELETE", this.#session).catch(() => undefined);
    for (const child of this.#processes) child.kill();
  }

  #do(method: "GET" | "POST", path: string, body?: object): Promise<never> {
    return call(method, `${this.#session}/${path}`, body);
  }

  /** Ends once the page and all that it asks for have loaded. */
  async goto(url: string): Promise<void> {
    await this.#do("POST", "url", { url });
  }

  url(): Promise<string> {
    return this.#do("GET", "url");
  }

  async setCookie(cookie: { readonly name: string; readonly value: string }): Promise<void> {
    await this.#do("POST", "cookie", { cookie: { ...cookie, path: "/", httpOnly: true } });
  }

  /** Calls a function in the page, which gets nothing from around it. */
  evaluate<Result>(script: () => Result): Promise<Awaited<Result>> {
    return this.#do("POST", "execute/sync", { script: `return (${script})()`, args: [] });
  }

  /** Presses the middle of what an XPath finds, once it is seen: whatever lies on it is pressed. */
  async press(xpath: string): Promise<void> {
    // What is rendered anew meanwhile gives the pointer no place to move to: nothing has been pressed then.
    await expect(async () => {
      const element = { [ELEMENT]: await this.#find(xpath) };
      const script = "arguments[0].scrollIntoView({ block: 'center' }); return arguments[0].checkVisibility()";
      const actions = [
        { type: "pointerMove", origin: element, x: 0, y: 0 },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      if (!(await this.#do("POST", "execute/sync", { script, args: [element] }))) throw new Error(`${xpath} is hidden`);
      await this.#do("POST", "actions", { actions: [{ type: "pointer", id: "mouse", actions }] });
    }).toPass(PATIENCE);
  }

  async type(xpath: string, text: string): Promise<void> {
    await this.#do("POST", `element/${await this.#find(xpath)}/value`, { text });
  }

  async #find(xpath: string): Promise<string> {
    let found: readonly Record<string, string>[] = [];
    await expect(async () => {
      found = await this.#do("POST", "elements", { using: "xpath", value: xpath });
      expect(found.length, `there is ${xpath}`).toBeGreaterThan(0);
    }).toPass(PATIENCE);
    return String(found[0]?.[ELEMENT]);
  }
}

async function call(method: string, url: string, body?: object): Promise<never> {
  const response = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS),
  });
  const { value } = (await response.json()) as { value: { error?: string; message?: string } };
  if (value?.error !== undefined) throw new Error(`${url} ${JSON.stringify(body)}: ${value.error}: ${value.message}`);
  return value as never;
}
