/**
 * The same rows with Prisma only: two interactive transactions around the provider's response, each of which locks and
 * checks the wallet and writes row by row.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { type Prisma, PrismaClient } from "#lib/db/generated/client.ts";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { type BenchWallet, nextAddress, type Register } from "./register-versions.ts";

const MONTH_MS = 30 * 86_400_000;
const TIMEOUT_MS = 60_000;

export function prismaVersion(databaseUrl: string, poolSize: number): { register: Register; close(): Promise<void> } {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl, max: poolSize }) });
  const inTransaction = <T>(work: (tx: Prisma.TransactionClient) => Promise<T>) =>
    prisma.$transaction(work, { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS });
  return {
    async register(wallet) {
      const held = await inTransaction((tx) => hold(tx, wallet));
      await askProvider(prisma, held);
      await inTransaction((tx) => settle(tx, wallet, held));
    },
    close: () => prisma.$disconnect(),
  };
}

type Held = Awaited<ReturnType<typeof hold>>;

async function lockWallet(tx: Prisma.TransactionClient, resellerId: number) {
  await tx.$queryRaw`select reseller_id from wallets where reseller_id = ${resellerId} for update`;
  return tx.wallet.findUniqueOrThrow({ where: { resellerId } });
}

async function hold(tx: Prisma.TransactionClient, { resellerId, productId, cycleId }: BenchWallet) {
  const cycle = await tx.billingCycle.findUniqueOrThrow({
    where: { id: cycleId },
    include: { product: true, prices: { where: { currency: "USD" } } },
  });
  const price = cycle.prices[0]?.price ?? 0n;
  const wallet = await lockWallet(tx, resellerId);
  if (wallet.posted - wallet.held < price) throw new Error("insufficient balance");
  const now = new Date();
  const operation = await tx.operation.create({
    data: {
      id: randomUUID(),
      kind: "license_register",
      state: "held",
      resellerId,
      holdAmount: price,
      price,
      currency: "USD",
      plan: { provider: "sandbox", steps: [], facts: {} },
      actor: "bench",
      requestId: "bench",
      leaseToken: randomUUID(),
    },
  });
  const license = await tx.license.create({
    data: {
      key: createLicenseKey(randomBytes),
      resellerId,
      productId,
      cycleId,
      ipAddress: nextAddress(),
      issuedAt: now,
      anchoredAt: now,
      expiresAt: new Date(now.getTime() + MONTH_MS),
      openOperationId: operation.id,
    },
  });
  await tx.operation.update({
    where: { id_resellerId: { id: operation.id, resellerId } },
    data: { licenseId: license.id },
  });
  await tx.wallet.update({ where: { resellerId }, data: { held: { increment: price } } });
  return { price, operationId: operation.id, license, productSku: cycle.product?.providerSku ?? "" };
}

/** Does what the sandbox provider does: decides the request and updates its books. */
async function askProvider(prisma: PrismaClient, { operationId, license, productSku }: Held): Promise<void> {
  await prisma.operation.update({
    where: { id_resellerId: { id: operationId, resellerId: license.resellerId } },
    data: { state: "sent", sentAt: new Date() },
  });
  await prisma.sandboxProviderRequest.create({
    data: { idempotencyKey: operationId, kind: "provision", reference: license.key, accepted: true, message: "" },
  });
  const { key: reference, ipAddress, expiresAt } = license;
  await prisma.sandboxProviderLicense.create({
    data: { reference, product: productSku, ipAddress, expiresAt, state: "active" },
  });
}

async function settle(
  tx: Prisma.TransactionClient,
  { resellerId }: BenchWallet,
  { price, operationId, license }: Held,
) {
  const now = new Date();
  const before = await lockWallet(tx, resellerId);
  await tx.license.update({
    where: { id_resellerId: { id: license.id, resellerId } },
    data: { provisionedAt: now, openOperationId: null },
  });
  const wallet = await tx.wallet.update({
    where: { resellerId },
    data: { posted: before.posted - price, held: before.held - price },
  });
  await tx.ledgerEntry.create({
    data: {
      resellerId,
      counterAccount: "revenue",
      kind: "charge",
      amount: -price,
      postedAfter: wallet.posted,
      operationId,
      actor: "bench",
    },
  });
  await tx.event.create({
    data: {
      id: randomUUID(),
      resellerId,
      kind: "license.activated",
      data: { license_id: `lic_${license.id}`, type: "control_panel", server: license.ipAddress },
      licenseId: license.id,
      operationId,
      occurredAt: now,
    },
  });
  await tx.operation.update({
    where: { id_resellerId: { id: operationId, resellerId } },
    data: { state: "succeeded", settledAt: now, balanceAfter: wallet.posted - wallet.held },
  });
}
