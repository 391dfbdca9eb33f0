/** The name of the user or the API key that `actor` of the row names, null where it names neither; by the row's alias. */
export function nameOfActor(row: string) {
  return {
    column: `coalesce(au.name, ak.name) as "actorName"`,
    joins: `
        left join users au on au.id = substring(${row}.actor from '^user:([0-9]{1,9})$')::int
        left join api_keys ak on ak.id = substring(${row}.actor from '^key:([0-9]{1,9})$')::int`,
  } as const;
}
