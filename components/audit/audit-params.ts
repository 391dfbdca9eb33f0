import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { parseAsId, parseAsLongId, parseAsText, timeParams } from "#components/ui/list-params.ts";
import { type AuditAction, auditActions } from "#lib/domain/audit.ts";

export const auditActionNames = Object.keys(auditActions) as AuditAction[];

/** The audit log in its URL. */
export const auditParams = {
  /** `user:7`, or part of a name or email address. */
  actor: parseAsText(),
  action: parseAsStringLiteral(auditActionNames),
  reseller: parseAsId,
  subject: parseAsText(),
  ...timeParams,
  before: parseAsLongId,
};

export const AUDIT_PATH = "/audit";
export const loadAuditParams = createLoader(auditParams);
export const auditHref = createSerializer(auditParams);
