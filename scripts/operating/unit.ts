/** What a unit of systemd starts. */
export interface Unit {
  readonly user: string;
  readonly group: string;
  readonly folder: string;
  /** `NAME=value` */
  readonly environment: readonly string[];
  readonly environmentFile: string;
  readonly command: readonly string[];
}

/** @throws if a line is missing */
export function readUnit(text: string): Unit {
  const read = (name: string): string => {
    const value = new RegExp(`^${name}=([^-].*)$`, "m").exec(text)?.[1];
    if (value === undefined) throw new Error(`The unit has no ${name}.`);
    return value;
  };
  return {
    user: read("User"),
    group: read("Group"),
    folder: read("WorkingDirectory"),
    environment: read("Environment").split(" "),
    environmentFile: read("EnvironmentFile"),
    command: read("ExecStart").split(" "),
  };
}
