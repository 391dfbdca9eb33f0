import { ObjectId } from "#components/ui/object-id.tsx";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { formatLicenseId } from "#lib/domain/ids.ts";
import type { KeyDetails } from "./api-key.ts";
import { KeyStateBadge } from "./key-state-badge.tsx";
import { scopesSummary } from "./scope-presets.ts";

export function KeyTable({ keys }: { readonly keys: readonly KeyDetails[] }) {
  return (
    <Table columns={["Name", "Access", "Allowed from", "Status", "Last used", "Expires"]} label="API keys">
      {keys.map((key) => (
        <Row key={key.apiKeyId}>
          <Cell phone="title">
            <span className="block min-w-0 py-0.5">
              <RowLink href={key.href}>
                <span className="wrap-anywhere">{key.name}</span>
              </RowLink>
              <span className="block font-mono font-normal text-text-muted text-xs">{key.hint}</span>
            </span>
          </Cell>
          <Cell label="Access" muted>
            <span className="block text-right md:text-left" title={key.scopes.join(", ")}>
              {scopesSummary(key.scopes)}
              {key.licenseId !== null && (
                <span className="wrap-anywhere block text-xs">
                  {key.productName} · {key.server}{" "}
                  <ObjectId className="ml-1.5">{formatLicenseId(key.licenseId)}</ObjectId>
                </span>
              )}
            </span>
          </Cell>
          <Cell label="Allowed from" muted>
            <Sources cidrs={key.cidrs} />
          </Cell>
          <Cell phone="corner">
            <KeyStateBadge state={key.state} />
          </Cell>
          <Cell label="Last used" muted>
            {key.lastUsedAt === null ? "Never" : <Timestamp format="relative" value={key.lastUsedAt} />}
          </Cell>
          <Cell label="Expires" muted>
            <End keyDetails={key} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Sources({ cidrs }: { readonly cidrs: readonly string[] }) {
  const [first] = cidrs;
  if (first === undefined) return "Any address";
  return (
    <span title={cidrs.join(", ")}>
      <span className="font-mono">{first}</span>
      {cidrs.length > 1 && ` and ${cidrs.length - 1} more`}
    </span>
  );
}

function End({ keyDetails: { state, revokedAt, expiresAt } }: { readonly keyDetails: KeyDetails }) {
  const endsAt = revokedAt ?? expiresAt;
  if (endsAt === null) return "Never";
  return (
    <span>
      {(state === "revoked" || state === "expired") && "Ended "}
      <Timestamp format="relative" value={endsAt} />
    </span>
  );
}
