import { join } from "node:path";

/**
 * For processes that tests start: they share their compiled code, which halves what a start costs. Node.js checks each entry
 * against its source.
 */
export const compiledCode = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "node_modules", ".cache", "license-desk-tests"),
};

/** For those that inherit this process's environment. */
export function shareCompiledCode(): void {
  process.env.NODE_COMPILE_CACHE ??= compiledCode.NODE_COMPILE_CACHE;
}
