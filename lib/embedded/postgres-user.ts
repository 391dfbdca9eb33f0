/** Selects the user that runs PostgreSQL, which refuses to run as root, and gives it access to its files. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, statSync } from "node:fs";

/** Spawn options for a PostgreSQL program. `uid` and `gid` are set if another user must own its files. */
export type PostgresUser = {
  uid?: number;
  gid?: number;
  command(program: string, args: string[]): { file: string; args: string[]; uid?: number; gid?: number };
};

type Account = { uid: number; gid: number };

const SYSTEM_USER = "license-desk-postgres";

function findAccount(name: string): Account | null {
  const ask = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: "pipe" }));
  try {
    return { uid: ask("-u"), gid: ask("-g") };
  } catch {
    return null;
  }
}

function createAccount(): Account | null {
  spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_USER]);
  return findAccount(SYSTEM_USER);
}

/** A cluster keeps its owner, even if the system has a `postgres` user by now. */
function clusterOwner(clusterDir: string): Account | null {
  const stat = statSync(clusterDir, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : null;
}

function canRun(command: { file: string; args: string[]; uid?: number; gid?: number }): boolean {
  const { file, args, ...account } = command;
  return spawnSync(file, args, { stdio: "ignore", ...account }).status === 0;
}

/**
 * Ways for root to run a program as `account`, least privileged first. The capabilities open directories that the user
 * cannot enter, such as a checkout in /root. `no_setuid_fixup` makes access(2), which PostgreSQL uses to find its
 * files, respect them.
 */
function listSpawnOptions({ uid, gid }: Account): PostgresUser[] {
  const withCapability = (capability: string): PostgresUser => ({
    uid,
    gid,
    command: (program, args) => ({
      file: "setpriv",
      args: [
        `--reuid=${uid}`,
        `--regid=${gid}`,
        "--clear-groups",
        `--inh-caps=-all,+${capability}`,
        `--ambient-caps=+${capability}`,
        "--securebits=+no_setuid_fixup",
        program,
        ...args,
      ],
    }),
  });
  return [
    { uid, gid, command: (program, args) => ({ file: program, args, uid, gid }) },
    withCapability("dac_read_search"),
    withCapability("dac_override"),
  ];
}

/** Lets the user's group traverse a private folder. */
function allowTraversal(dataDir: string, gid: number): void {
  chownSync(dataDir, statSync(dataDir).uid, gid);
  chmodSync(dataDir, 0o710);
}

function canReach(user: PostgresUser, options: { postgres: string; dataDir: string }): boolean {
  return (
    canRun(user.command(options.postgres, ["--version"])) &&
    canRun(user.command("/bin/sh", ["-c", 'test -x "$0"', options.dataDir]))
  );
}

/**
 * Selects the user for a cluster in `clusterDir` (which may not exist yet; `dataDir` is its parent), run by `postgres`.
 * @throws if this process is root and no other user can access the files
 */
export function choosePostgresUser(options: { postgres: string; dataDir: string; clusterDir: string }): PostgresUser {
  if (process.getuid?.() !== 0) return { command: (file, args) => ({ file, args }) };
  const account =
    clusterOwner(options.clusterDir) ?? findAccount("postgres") ?? findAccount(SYSTEM_USER) ?? createAccount();
  if (account) {
    allowTraversal(options.dataDir, account.gid);
    const usable = listSpawnOptions(account).find((user) => canReach(user, options));
    if (usable) return usable;
  }
  throw new Error(
    "PostgreSQL does not run as root, and no other user can read this project and its DATA_DIR: start License Desk " +
      "as an ordinary user, or move both out of private folders such as /root, or set DATABASE_URL.",
  );
}
