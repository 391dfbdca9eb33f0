import { ArrowRight, Ban, Pause } from "lucide-react";
import { Fragment } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { ObjectId } from "#components/ui/object-id.tsx";
import { StatusBadge } from "#components/ui/status-badge.tsx";
import { Cell, Row, RowControl, RowLink, Table } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { obstacleTexts, type PlannedUnit } from "./relocation.ts";

export interface UnitTableProps {
  readonly units: readonly PlannedUnit[];
  /** Nothing keeps the relocation from starting. */
  readonly startable: boolean;
}

/** Everything on the old address, and what becomes of it. */
export function UnitTable({ units, startable }: UnitTableProps) {
  const hasObstacles = units.some(({ obstacle }) => obstacle !== null);
  return (
    <Table columns={["License or bundle", "Status", "Outcome", hasObstacles && "Details"]} label="On the old address">
      {units.map((unit) => (
        <Row key={unit.id}>
          <Cell phone="title">
            <div>
              <RowLink href={unit.href}>{unit.name}</RowLink>
              <ObjectId className="ml-1.5">{unit.id}</ObjectId>
              {unit.members.length > 0 && (
                <span className="block font-normal text-text-muted text-xs">{unit.members.join(", ")}</span>
              )}
            </div>
          </Cell>
          <Cell label="Status">
            <StatusBadge status={unit.status} />
          </Cell>
          <Cell phone="corner">
            <Outcome startable={startable} unit={unit} />
          </Cell>
          {hasObstacles && (
            <Cell label="Details" muted phone={unit.obstacle === null ? "hidden" : "line"}>
              {unit.obstacle !== null && (
                <span className="text-right md:text-left">
                  {obstacleTexts[unit.obstacle].detail}
                  {unit.blockers.length > 0 && <Blockers blockers={unit.blockers} />}
                </span>
              )}
            </Cell>
          )}
        </Row>
      ))}
    </Table>
  );
}

function Blockers({ blockers }: Pick<PlannedUnit, "blockers">) {
  return (
    <>
      {" Conflicts with "}
      {blockers.map(({ id, href }, index) => (
        <Fragment key={id}>
          {index > 0 && ", "}
          <RowControl>
            <TextLink href={href}>{id}</TextLink>
          </RowControl>
        </Fragment>
      ))}
      .
    </>
  );
}

function Outcome({ unit: { obstacle }, startable }: { readonly unit: PlannedUnit; readonly startable: boolean }) {
  if (obstacle === null) {
    return (
      <Badge icon={<ArrowRight />} tone={startable ? "positive" : "neutral"}>
        {startable ? "Moves" : "Would move"}
      </Badge>
    );
  }
  const clash = obstacle === "address_taken";
  return (
    <Badge icon={clash ? <Ban /> : <Pause />} tone={clash ? "critical" : "neutral"}>
      {obstacleTexts[obstacle].label}
    </Badge>
  );
}
