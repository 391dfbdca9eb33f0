import { ButtonLink } from "#components/ui/button-link.tsx";
import { findUser } from "#lib/dashboard/session.ts";
import { homeOf } from "./home.ts";

/** Back to where the user begins, named after that page. */
export async function HomeLink() {
  const user = await findUser();
  return (
    <ButtonLink href="/">
      {user !== null && homeOf(user) === "/licenses" ? "Go to Licenses" : "Go to Overview"}
    </ButtonLink>
  );
}
