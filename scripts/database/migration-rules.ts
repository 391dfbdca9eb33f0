/** What a migration must not do while the previous version runs on the same database. */
import type { AlterTableCmd, ColumnDef, Constraint, IndexStmt, Node } from "libpg-query";
import { partitionedTables } from "#lib/domain/partitions.ts";

/** `breaks`: the previous version fails. `locks`: others wait for as long as the table is large. */
export type Danger = "breaks" | "locks";

export interface Finding {
  readonly danger: Danger;
  readonly message: string;
}

/** The effects of earlier statements and migrations. */
export interface RuleState {
  /** Created by this migration, so not in use yet. */
  readonly newTables: Set<string>;
  /** Added by this migration as not valid. */
  readonly newConstraints: Set<string>;
  /** Name of a check → the column that it requires, as `table.column`. */
  readonly notNullChecks: Map<string, string>;
  /** Columns that a validated check requires. */
  readonly provenNotNull: Set<string>;
}

const breaks = (message: string): Finding => ({ danger: "breaks", message });
const locks = (message: string): Finding => ({ danger: "locks", message });

/**
 * Commands of `alter table` that are short and leave the previous version running, besides those checked one by one.
 */
const HARMLESS_COMMANDS = new Set([
  "AT_DropConstraint",
  "AT_DropNotNull",
  "AT_SetStatistics",
  "AT_SetRelOptions",
  "AT_ResetRelOptions",
  "AT_EnableTrig",
]);
const STABLE_FUNCTIONS = new Set(["now", "statement_timestamp", "transaction_timestamp"]);

export function judgeStatement(statement: Node, state: RuleState): readonly Finding[] {
  const [[kind, body]] = Object.entries(statement) as [[string, never]];
  return judges[kind]?.(body, state) ?? [];
}

const judges: Readonly<Record<string, (body: never, state: RuleState) => readonly Finding[]>> = {
  CreateStmt: ({ relation }: { relation?: { relname?: string } }, { newTables }) => {
    newTables.add(relation?.relname ?? "");
    return [];
  },
  AlterTableStmt: ({ relation, cmds = [] }: { relation?: { relname?: string }; cmds?: Node[] }, state) => {
    const table = relation?.relname ?? "";
    if (state.newTables.has(table)) return [];
    return cmds.flatMap((node) => ("AlterTableCmd" in node ? judgeCommand(table, node.AlterTableCmd, state) : []));
  },
  IndexStmt: (index: IndexStmt, state) => {
    const { relname = "", inh: ofPartitions } = index.relation ?? {};
    if (state.newTables.has(relname)) return [];
    if (partitionedTables.some(({ name }) => name === relname))
      return ofPartitions ? [locks("creates an index of every partition: use CREATE INDEX … ON ONLY")] : [];
    if (!index.concurrent)
      return [locks("creates an index: use CREATE INDEX CONCURRENTLY IF NOT EXISTS, in a migration of its own")];
    return index.if_not_exists ? [] : [locks("needs IF NOT EXISTS, so that it can be repeated after an interruption")];
  },
  DropStmt: ({
    removeType,
    concurrent,
    missing_ok,
  }: {
    removeType?: string;
    concurrent?: boolean;
    missing_ok?: boolean;
  }) => {
    switch (removeType) {
      case "OBJECT_TRIGGER":
        return [];
      case "OBJECT_INDEX":
        return concurrent && missing_ok
          ? []
          : [locks("drops an index: use DROP INDEX CONCURRENTLY IF EXISTS, in a migration of its own")];
      default:
        return [
          breaks(`drops a ${String(removeType).replace("OBJECT_", "").toLowerCase()} that the previous version uses`),
        ];
    }
  },
  RenameStmt: ({ renameType }: { renameType?: string }) =>
    renameType === "OBJECT_INDEX"
      ? []
      : [breaks("renames what the previous version calls by its old name: add a new one, and drop the old one later")],
  AlterEnumStmt: ({ oldVal }: { oldVal?: string }) =>
    oldVal === undefined ? [] : [breaks("renames a value that the previous version writes")],
  TruncateStmt: () => [breaks("removes rows that the previous version reads")],
  UpdateStmt: ({ whereClause }: { whereClause?: Node }) =>
    whereClause ? [] : [locks("changes every row in one transaction: change them in batches, outside of migrations")],
  DeleteStmt: ({ whereClause }: { whereClause?: Node }) =>
    whereClause ? [] : [breaks("removes rows that the previous version reads")],
  VariableSetStmt: ({ name }: { name?: string }) =>
    name === "lock_timeout" ? [locks("sets lock_timeout, which whoever applies migrations sets")] : [],
  LockStmt: () => [locks("locks a table")],
  ClusterStmt: () => [locks("rewrites a table")],
  VacuumStmt: () => [locks("is no part of a migration")],
  ReindexStmt: () => [locks("rebuilds an index while the table is locked")],
};

function judgeCommand(table: string, command: AlterTableCmd, state: RuleState): readonly Finding[] {
  const { subtype, name = "", def } = command;
  switch (subtype) {
    case "AT_AddColumn":
      return def && "ColumnDef" in def ? judgeColumn(def.ColumnDef) : [];
    case "AT_DropColumn":
      return [breaks("drops a column that the previous version reads")];
    case "AT_AlterColumnType":
      return [
        locks("rewrites the table: add a column of the new type, fill it, and drop the old one in a contract step"),
      ];
    case "AT_ColumnDefault":
      return def ? [] : [breaks("drops a default that the previous version relies on")];
    case "AT_SetNotNull":
      return state.provenNotNull.has(`${table}.${name}`) ? [] : [locks(NOT_NULL)];
    case "AT_AddConstraint":
      return def && "Constraint" in def ? judgeConstraint(table, def.Constraint, state) : [];
    case "AT_ValidateConstraint": {
      if (state.newConstraints.has(name)) {
        return [
          locks(
            "validates a constraint that it adds: the table is locked meanwhile. Validate it in the next migration",
          ),
        ];
      }
      const column = state.notNullChecks.get(name);
      if (column) state.provenNotNull.add(column);
      return [];
    }
    default:
      return HARMLESS_COMMANDS.has(String(subtype)) ? [] : [locks(`does what is not known to be short (${subtype})`)];
  }
}

const NOT_NULL =
  "reads the whole table under a lock: add CHECK (… IS NOT NULL) NOT VALID, validate it in the next migration, then set NOT NULL";

function judgeColumn({ constraints = [] }: ColumnDef): readonly Finding[] {
  const of = new Map(
    constraints.flatMap((node) => ("Constraint" in node ? [[node.Constraint.contype, node.Constraint]] : [])),
  );
  const findings: Finding[] = [];
  const hasValue = of.has("CONSTR_DEFAULT") || of.has("CONSTR_GENERATED") || of.has("CONSTR_IDENTITY");
  if (of.has("CONSTR_NOTNULL") && !hasValue)
    findings.push(
      breaks("adds a column that the previous version does not fill: give it a constant default, or let it be null"),
    );
  if (of.has("CONSTR_IDENTITY") || of.get("CONSTR_GENERATED")?.generated_kind === "s") {
    findings.push(locks("adds a column whose values are computed for every row"));
  }
  if (isVolatile(of.get("CONSTR_DEFAULT")?.raw_expr)) {
    findings.push(
      locks("adds a column with a default that is computed for every row: add it without, then set the default"),
    );
  }
  for (const kind of ["CONSTR_UNIQUE", "CONSTR_PRIMARY", "CONSTR_FOREIGN", "CONSTR_CHECK"] as const) {
    if (of.has(kind))
      findings.push(locks("adds a column with a constraint: add the constraint by a statement of its own"));
  }
  return findings;
}

/** False for constants, casts of them, and the transaction's time. */
function isVolatile(node: Node | undefined): boolean {
  if (!node || "A_Const" in node || "SQLValueFunction" in node) return false;
  if ("TypeCast" in node) return isVolatile(node.TypeCast.arg);
  if ("A_ArrayExpr" in node) return (node.A_ArrayExpr.elements ?? []).some(isVolatile);
  if (!("FuncCall" in node)) return true;
  const last = node.FuncCall.funcname?.at(-1);
  return !(last && "String" in last && STABLE_FUNCTIONS.has(last.String.sval ?? ""));
}

function judgeConstraint(table: string, constraint: Constraint, state: RuleState): readonly Finding[] {
  const { contype, conname = "", skip_validation, indexname, raw_expr } = constraint;
  switch (contype) {
    case "CONSTR_CHECK":
    case "CONSTR_FOREIGN": {
      if (!skip_validation)
        return [locks("reads the whole table under a lock: add it NOT VALID, and validate it in the next migration")];
      state.newConstraints.add(conname);
      const column = requiredColumn(raw_expr);
      if (column) state.notNullChecks.set(conname, `${table}.${column}`);
      return [];
    }
    case "CONSTR_UNIQUE":
    case "CONSTR_PRIMARY":
      return indexname
        ? []
        : [
            locks(
              "builds an index under a lock: create it concurrently in an earlier migration, then ADD … USING INDEX",
            ),
          ];
    case "CONSTR_NOTNULL":
      return [locks(NOT_NULL)];
    default:
      return [locks(`adds a constraint that cannot be added without a long lock (${contype})`)];
  }
}

function requiredColumn(expression: Node | undefined): string | null {
  if (!expression || !("NullTest" in expression) || expression.NullTest.nulltesttype !== "IS_NOT_NULL") return null;
  const { arg } = expression.NullTest;
  const field = arg && "ColumnRef" in arg ? arg.ColumnRef.fields?.at(-1) : undefined;
  return field && "String" in field ? (field.String.sval ?? null) : null;
}
