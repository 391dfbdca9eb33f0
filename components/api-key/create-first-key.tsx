import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";

/** @param keysPath the list of keys */
export function CreateFirstKey({ keysPath }: { readonly keysPath: string }) {
  return (
    <Allowed to="keys:write">
      <ButtonLink href={`${keysPath}/new`} variant="primary">
        Create the first key
      </ButtonLink>
    </Allowed>
  );
}
