import { int, nullable, text } from "#lib/db/connection/columns.ts";
import { bundleLabel, licenseLabel } from "./subject-label.ts";

/** The subject of an operation; all null without one. */
export const operationSubjectRow = {
  licenseId: nullable(int),
  bundleInstanceId: nullable(int),
  /** `Mail Gateway on mx1.example.com`: product or bundle, and host name or address. */
  subjectLabel: nullable(text),
};

/** Of the operation `o`, by primary keys only. */
export const operationSubject = {
  columns: `o.license_id as "licenseId", o.bundle_instance_id as "bundleInstanceId",
             coalesce(${licenseLabel("sl", "sp")}, ${bundleLabel("si", "sb")}) as "subjectLabel"`,
  joins: `
        left join licenses sl on sl.id = o.license_id and sl.reseller_id = o.reseller_id left join products sp on sp.id = sl.product_id
        left join bundle_instances si on si.id = o.bundle_instance_id and si.reseller_id = o.reseller_id left join bundles sb on sb.id = si.bundle_id`,
} as const;
