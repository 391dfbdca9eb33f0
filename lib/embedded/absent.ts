/** For the `catch` of what reads a file or folder: null, if there is none. */
export function nullIfAbsent(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
  throw error;
}
