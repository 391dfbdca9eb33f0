import { expect, test } from "vitest";
import { importedFromDb, prismaWrite, recorders, serviceModules, writers } from "#tests/support/writers.ts";

/** What services write without an audit entry, an event, an operation or a ledger entry, and why. */
const unrecorded: Readonly<Record<string, string>> = {
  "of a request, its key and its limits":
    "addAddressLookups addProviderLookup beginProviderLookupRow claimIdempotencyKey claimSignature countAttempts endProviderLookupRow findClaimState findIdempotencyRecord forgiveAccount forgiveAttempts reclaimIdempotencyKey releaseIdempotencyKey spendChallengeTry storeIdempotentAnswer storeSettledAnswer",
  "steps of signing in and of proving who one is; the last one is recorded":
    "advancePasskey insertPasswordResetRow insertPendingSignIn insertTotp proveSession takeChallenge takePendingSignIn takeTotpStep touchSession",
  "a user's own sessions, messages and views, never while acting as a reseller":
    "addOptOut deleteViewRow endOtherSessionRows endSessionRow insertView replaceOptOuts updateMarkException updateReadUntil updateView",
  "the mode of a session": "updateTestMode",
  "a job's progress; its start, its end by a user and each change are recorded":
    "beginBulkItem claimBulkJob closeBulkJob endBulkItem postponeBulkItem reclaimBulkJob requeueBulkItem wakeBulkJob wakeBulkJobs yieldBulkJob",
  "an operation's progress": "claimOperation markOperationSent postponeOperation reclaimOperation releaseOperation",
  "messages and deliveries, whose rows are the log; a message that is sent again is audited beside it":
    "claimMails claimWebhookDeliveries deleteEndpointDeliveries discardDeliveries queueDigestMailRows queueProblemMailRows queueRunwayMailRows recordMailAttempt recordWebhookAttempt redirectWebhookDelivery releaseMails releaseWebhookDeliveries retryMailRow wakeWebhookDelivery",
  "the worker's comparison with providers' books and with the ledger":
    "beginComparison closeAgreeingCases compareOurLicenses compareProviderBooks finishComparison openUnknownOutcomes releaseComparison reopenCase storeBookDetails storeBookPage storeCaseValues storeLedgerCheck",
  "the worker's schedule and retention":
    "clearKeyAddresses deleteAccessLinks deleteAdminIdempotencyRecords deleteBulkJobs deleteComparisons deleteDiscardedRegistrations deleteEmailChanges deleteEndedSessions deleteEvents deleteFailedJobs deleteIdempotencyRecords deleteJobsOfClosedSandboxes deleteMails deletePendingSignIns deleteReports deleteSignInAttempts deleteUsedChallenges deleteUsedSignatures deleteWebhookTargets endFalseWaitRows forgetUnusedNotices queueRenewals updatePartitions wakeDueRenewals",
  "a server's report, which is a record itself": "insertReport",
  "play data of test mode": "advanceLicenseRow setRehearsalRow",
};

/** A module's writes that leave no record. In a transaction of its own, one statement records the others. */
function unrecordedWrites({ name, text }: { readonly name: string; readonly text: string }): readonly string[] {
  const called = importedFromDb(text).map((one) => one.name);
  const lacking = called.filter((one) => writers.has(one) && !recorders.has(one));
  const isRecorded = called.some((one) => recorders.has(one));
  return prismaWrite.test(text) && !isRecorded ? [...lacking, `prisma in ${name}`] : lacking;
}

test("functions of lib/db that record what they change are distinguished from those that only write", () => {
  for (const name of ["updateLabels", "updateNotes", "updateAutoRenew", "postLedgerEntry", "holdOperation"]) {
    expect(recorders, name).toContain(name);
  }
  for (const name of ["updateReadUntil", "claimMails"]) {
    expect(writers, name).toContain(name);
    expect(recorders, name).not.toContain(name);
  }
});

test("every service that changes something records it, with these exceptions (decision 17)", () => {
  const found = [...new Set(serviceModules.flatMap(unrecordedWrites))].toSorted();
  const listed = Object.values(unrecorded).flatMap((names) => names.split(" "));
  expect(found).toEqual(listed.toSorted());
});
