import { ObjectId } from "#components/ui/object-id.tsx";
import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";

export interface CaseSubjectProps {
  readonly licenseId: LicenseId | null;
  readonly productName: string | null;
  readonly reference: string;
}

/** "Control Panel lic_12", or the provider's name where nothing of ours has it. */
export function CaseSubject({ licenseId, productName, reference }: CaseSubjectProps) {
  if (licenseId === null) return reference;
  return (
    <>
      {productName ?? "License"} <ObjectId className="ml-1 tracking-normal">{formatLicenseId(licenseId)}</ObjectId>
    </>
  );
}
