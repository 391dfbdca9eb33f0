import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { parseAsPlace } from "#components/ui/list-params.ts";
import { verificationCodes } from "#lib/domain/license-status.ts";

export const failureCodes = verificationCodes.filter((code) => code !== "VALID");
/** A license that exists is never answered as not found. */
export const filterCodes = verificationCodes.filter((code) => code !== "NOT_FOUND");

const verificationParams = { code: parseAsStringLiteral(filterCodes), before: parseAsPlace };
export const loadVerificationParams = createLoader(verificationParams);
export const verificationsHref = createSerializer(verificationParams);
