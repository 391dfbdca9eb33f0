/**
 * The folder of this version's files. `server.ts` sets it: when SIGHUP starts another version, the working directory
 * remains that of the first, and modules that Next bundles have no folder of their own. On a Next host it is the working
 * directory.
 */
export function installationRoot(): string {
  return process.env.INSTALLATION_ROOT ?? process.cwd();
}
