import { Activity, Boxes, Building2, Contact, KeyRound, KeySquare, ScrollText, User, Webhook, Zap } from "lucide-react";

/** Kinds of objects that a search finds, in order. */
export const foundKinds = {
  license: { label: "Licenses", icon: <KeyRound aria-hidden /> },
  customer: { label: "Customers", icon: <Contact aria-hidden /> },
  bundle: { label: "Bundles", icon: <Boxes aria-hidden /> },
  reseller: { label: "Resellers", icon: <Building2 aria-hidden /> },
  user: { label: "Users", icon: <User aria-hidden /> },
  apiKey: { label: "API keys", icon: <KeySquare aria-hidden /> },
  endpoint: { label: "Webhook endpoints", icon: <Webhook aria-hidden /> },
  request: { label: "Requests", icon: <ScrollText aria-hidden /> },
  event: { label: "Events", icon: <Zap aria-hidden /> },
  operation: { label: "Operations", icon: <Activity aria-hidden /> },
} as const;

export type FoundKind = keyof typeof foundKinds;
