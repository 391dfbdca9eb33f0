import { Command } from "commander";
import { findDeployment } from "#lib/db/deployment/deployment.ts";
import { openDataDir, type Secrets } from "#lib/embedded/data-dir.ts";
import { acceptSecrets, judgeDeployment, resumeDeployment } from "#lib/server/deployment.ts";
import { CommandLineError } from "./error.ts";
import {
  deploymentOf,
  type Installation,
  loadInstalledSecrets,
  requireStoredSecrets,
  withInstallation,
} from "./installation.ts";
import { note, printJson } from "./output.ts";

/** Commands on the installation itself. They work without the runtime, which safe mode makes read-only. */
export function deploymentCommand(): Command {
  const noun = new Command("deployment").description("the deployment that this database belongs to");
  noun
    .command("show")
    .description("print the deployment's id, for DEPLOYMENT_ID of further instances, and whether this is a copy")
    .action(() =>
      withInstallation(async (installation) => {
        const found = await findDeployment(installation.databaseUrl);
        if (!found) throw new CommandLineError("No License Desk has been started on this database yet.");
        const verdict = await judgeDeployment({ ...deploymentOf(installation), secrets: null });
        const reason = verdict?.kind === "copy" ? verdict.reason : null;
        printJson({ deployment_id: found.record.deploymentId, copy: reason !== null, reason });
      }),
    );
  noun
    .command("resume")
    .description("end safe mode: this database becomes the active one. Stop the other one first")
    .action(() =>
      withInstallation(async (installation) => {
        await requireSafeMode(installation);
        // It gets `deployment.json`.
        openDataDir(installation.dataDir);
        const { deploymentId } = await resumeDeployment(deploymentOf(installation));
        printJson({ deployment_id: deploymentId });
        note(
          "Compare with the providers before a worker runs, by " +
            '"npm run -s admin -- reconcile" and "npm run -s admin -- reconciliation compare --complete", then start ' +
            "License Desk. What happened after the copy was made is a case there. All sessions and links have ended; keys, " +
            "users and passwords that were revoked since work again, and endpoints and addresses that were changed since " +
            "receive again (docs/operating/backups.md).",
        );
      }),
    );
  noun
    .command("accept-secrets")
    .description("use the database with this installation's secrets, after its previous ones are lost")
    .action(() =>
      withInstallation(async (installation) => {
        await acceptSecrets(installation.databaseUrl, secretsToAccept(installation));
        note(
          "Under a new API_KEY_PEPPER every API key is invalid; under a new NEXTAUTH_SECRET every session has ended; under " +
            "a new ENCRYPTION_KEY webhook secrets, signing secrets and provider credentials must be set again.",
        );
      }),
    );
  return noun;
}

/** Sessions and links of a database that is in service must not end by mistake. */
async function requireSafeMode(installation: Installation): Promise<void> {
  const verdict = await judgeDeployment({ ...deploymentOf(installation), secrets: null });
  if (verdict?.kind !== "own" || installation.env.SAFE_MODE === "on") return;
  throw new CommandLineError(
    "This database is in service already. To end all its sessions and links nevertheless, as after a restore that was " +
      "not recognized, set SAFE_MODE=on for this command. Nothing was changed.",
  );
}

/** Those of DATA_DIR are created if they are lost; the server of another database has them elsewhere. */
function secretsToAccept(installation: Installation): Secrets {
  return installation.embedded ? loadInstalledSecrets(installation) : requireStoredSecrets(installation);
}
