import { createLoader, createParser, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { parseAsId, parseAsLongId, parseAsText, timeParams } from "#components/ui/list-params.ts";
import { type AuditAction, auditActions } from "#lib/domain/audit.ts";
import { normalizeAddress } from "#lib/domain/cidr.ts";

export const auditActionNames = Object.keys(auditActions) as AuditAction[];

/** IPv4 or IPv6, exactly one. */
const parseAsAddress = createParser<string>({ parse: (text) => normalizeAddress(text.trim()), serialize: String });

/** The audit log in its URL. */
export const auditParams = {
  /** `user:7`, or part of a name or email address. */
  actor: parseAsText(),
  action: parseAsStringLiteral(auditActionNames),
  reseller: parseAsId,
  subject: parseAsText(),
  address: parseAsAddress,
  ...timeParams,
  before: parseAsLongId,
};

export const AUDIT_PATH = "/audit";
export const loadAuditParams = createLoader(auditParams);
export const auditHref = createSerializer(auditParams);
