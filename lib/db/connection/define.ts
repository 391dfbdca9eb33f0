/**
 * A function of one statement is declared with it. Its arguments are the $1, $2 …, or these are made of them:
 * defineFind("find_user", { id: int })<[email: string]>`select …` is called as `findUser(db, email)`, and so is
 * defineFind("find_user", { id: int }).values((email: string) => [email.toLowerCase()])`select …`.
 */
import type { Database } from "./client.ts";
import { findRow, getRow, type RowOf, type RowShape, type Statement, statement } from "./statement.ts";

type Sql = [texts: TemplateStringsArray, ...fragments: readonly string[]];
type Values = readonly unknown[];

function define<Row, Result>(
  declare: (...sql: Sql) => Statement<Row>,
  run: (db: Database, declared: Statement<Row>, values: Values) => Promise<Result>,
) {
  const ofArguments = <Args extends Values = []>(...sql: Sql) => {
    const declared = declare(...sql);
    return (db: Database, ...args: Args) => run(db, declared, args);
  };
  const values =
    <Args extends Values>(valuesOf: (...args: Args) => Values) =>
    (...sql: Sql) => {
      const declared = declare(...sql);
      return (db: Database, ...args: Args) => run(db, declared, valuesOf(...args));
    };
  return Object.assign(ofArguments, { values });
}

/** Returns all rows. */
export const defineList = <Shape extends RowShape>(name: string, row: Shape) =>
  define(statement(name, row), (db, declared, values) => db.query(declared, values));

/** Returns the row, or null without one. `declare`, here and below: `safeModeStatement` for one that is. */
export const defineFind = <Shape extends RowShape>(name: string, row: Shape, declare = statement) =>
  define(declare(name, row), findRow);

/** For a statement that always returns a row. */
export const defineGet = <Shape extends RowShape>(name: string, row: Shape) => define(statement(name, row), getRow);

/** Of a row with one column. */
const onlyValue = <Shape extends RowShape>(row: RowOf<Shape>) => Object.values(row)[0] as RowOf<Shape>[keyof Shape];

/** The same three for rows with one column, of which they return the value. */
export const defineListValues = <Shape extends RowShape>(name: string, row: Shape, declare = statement) =>
  define(declare(name, row), async (db, declared, values) => (await db.query(declared, values)).map(onlyValue<Shape>));
export const defineFindValue = <Shape extends RowShape>(name: string, row: Shape, declare = statement) =>
  define(declare(name, row), async (db, declared, values) => {
    const found = await findRow(db, declared, values);
    return found && onlyValue<Shape>(found);
  });
export const defineGetValue = <Shape extends RowShape>(name: string, row: Shape) =>
  define(statement(name, row), async (db, declared, values) => onlyValue<Shape>(await getRow(db, declared, values)));

/** Returns whether there is a row, such as one that was changed. */
export const defineAny = (name: string, declare = statement) =>
  define(declare(name), async (db, declared, values) => (await db.query(declared, values)).length > 0);

/** Returns nothing. */
export const defineRun = (name: string, declare = statement) =>
  define(declare(name), async (db, declared, values) => void (await db.query(declared, values)));
