import { updateOwnName } from "#lib/db/user/user.ts";
import { invalidParameters, type ParameterProblem } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readName } from "./fields.ts";
import { requireOwnUser } from "./manager.ts";

/** Changes the actor's own name. @throws DomainError `parameters_invalid` */
export async function changeOwnName(ctx: ServiceContext, input: { readonly name: string }): Promise<void> {
  const userId = requireOwnUser(ctx);
  const problems: ParameterProblem[] = [];
  const name = readName(input.name, problems);
  if (problems.length > 0) throw invalidParameters(problems);
  await updateOwnName(writesOf(ctx), userId, name, changedBy(ctx));
}
