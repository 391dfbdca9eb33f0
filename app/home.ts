/** The page that a signed-in user begins at. */
export function homeOf(role: "admin" | "reseller"): string {
  switch (role) {
    case "admin":
      return "/resellers";
    case "reseller":
      return "/overview";
    default:
      return role satisfies never;
  }
}
