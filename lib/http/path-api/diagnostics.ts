import { z } from "zod";
import { isSize, isUptime } from "#lib/domain/diagnostics.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { getDiagnostics, type ReportSelector } from "#lib/services/diagnostics/get.ts";
import { reportDiagnostics } from "#lib/services/diagnostics/report.ts";
import { ok, updated } from "./present.ts";

const NAME_MAX_LENGTH = 255;

const size = parameter.text((text) => (isSize(text) ? text : null), "must be a size such as 16GB or 512MB");
const uptime = parameter.text(
  (text) => (isUptime(text) ? text : null),
  "must be a duration such as 12 days or 5 hours",
);

/** GET /diagnostics (contract 2.5). */
export const diagnosticsGet = defineEndpoint({
  name: "diagnostics",
  method: "GET",
  scope: "diagnostics:read",
  parameters: z.object({
    license_key: parameter.licenseKey.optional(),
    license_id: parameter.licenseId.optional(),
    ip_address: parameter.ipv4.optional(),
    server: parameter.hostname.optional(),
  }),
  selectors: {
    license_key: "the key of the license whose agent reported, such as LIC-7QGZ1-…",
    license_id: "the id of the license whose agent reported, such as lic_12 or 12",
    ip_address: "the IPv4 address of the server",
    server: "the host name that the server reports",
  },
  responses: {
    200: z.strictObject({
      os: field.text,
      kernel: field.text,
      cpu_cores: field.count,
      memory: field.text,
      disk_free: field.text,
      uptime: field.text,
      reported_at: field.time,
    }),
  },
  async handle(ctx, { licenseKey, licenseId, ipAddress, server }) {
    const selectors: (ReportSelector | false)[] = [
      licenseKey !== undefined && { licenseKey },
      licenseId !== undefined && { licenseId },
      ipAddress !== undefined && { ipAddress },
      server !== undefined && { server },
    ];
    const report = await getDiagnostics(ctx, selectors.find((selector) => selector !== false) || null);
    return ok({
      os: report.os,
      kernel: report.kernel,
      cpu_cores: report.cpuCores,
      memory: report.memory,
      disk_free: report.diskFree,
      uptime: report.uptime,
      reported_at: toTimestamp(report.reportedAt),
    });
  },
});

/** POST /diagnostics: a report of a server's agent (contract 2.6). */
export const diagnosticsReport = defineEndpoint({
  name: "diagnostics.report",
  method: "POST",
  scope: "diagnostics:write",
  parameters: z.object({
    license_key: parameter.licenseKey,
    hostname: parameter.hostname,
    os: parameter.limited(NAME_MAX_LENGTH),
    kernel: parameter.limited(NAME_MAX_LENGTH),
    cpu_cores: parameter.integer,
    memory: size,
    disk_free: size,
    uptime,
    sent_at: parameter.timestamp.optional(),
  }),
  responses: {
    200: updated,
  },
  async handle(ctx, { sentAt = null, ...report }, { sourceAddress }) {
    const { updatedAt } = await reportDiagnostics(ctx, { ...report, sourceAddress, sentAt });
    return ok({ success: true, message: "The report was kept.", updated_at: toTimestamp(updatedAt) });
  },
});
