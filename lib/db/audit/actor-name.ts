/** Selects the name of the user or API key in the `actor` column of the aliased row; null if it refers to neither. */
export function selectActorName(row: string) {
  return {
    column: `coalesce(au.name, ak.name) as "actorName"`,
    joins: `
        left join users au on au.id = substring(${row}.actor from '^user:([0-9]{1,9})$')::int
        left join api_keys ak on ak.id = substring(${row}.actor from '^key:([0-9]{1,9})$')::int`,
  } as const;
}
