import type { ReactNode } from "react";
import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { ServerRow } from "#lib/services/diagnostics/get-server.ts";
import { sizeText } from "./amounts.ts";

export interface ServerFactsProps {
  readonly facts: ServerRow;
  readonly diskFreeMb: number;
  readonly memoryMb: number;
}

/** What the agent said last. */
export function ServerFacts({ facts, diskFreeMb, memoryMb }: ServerFactsProps) {
  const items: { term: string; value: ReactNode }[] = [
    {
      term: "Address",
      value: (
        <>
          <code className="font-mono">{facts.address}</code>
          <CopyButton label="Copy address" value={facts.address} />
        </>
      ),
    },
    { term: "Host name", value: facts.hostname },
    { term: "Operating system", value: facts.os },
    { term: "Kernel", value: <code className="font-mono">{facts.kernel}</code> },
    { term: "CPU cores", value: facts.cpuCores },
    { term: "Memory", value: sizeText(memoryMb) },
    { term: "Disk free", value: sizeText(diskFreeMb) },
    { term: "Uptime", value: facts.uptime.replace(/^1 (day|hour)s$/, "1 $1") },
    {
      term: "Last report",
      value: (
        <span>
          <Timestamp value={facts.reportedAt} />{" "}
          <span className="text-text-muted">
            (<Timestamp format="relative" value={facts.reportedAt} />) from{" "}
            <span className="font-mono">{facts.sourceAddress}</span>
          </span>
        </span>
      ),
    },
  ];
  return (
    <Card title="Server">
      <DescriptionList items={items} />
    </Card>
  );
}
