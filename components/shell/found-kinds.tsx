import { Activity, Boxes, Building2, Contact, KeyRound, KeySquare, ScrollText, User, Webhook, Zap } from "lucide-react";

/** Kinds of objects that a search finds, in order. */
export const foundKinds = {
  license: { label: "Licenses", icon: <KeyRound /> },
  customer: { label: "Customers", icon: <Contact /> },
  bundle: { label: "Bundles", icon: <Boxes /> },
  reseller: { label: "Resellers", icon: <Building2 /> },
  user: { label: "Users", icon: <User /> },
  apiKey: { label: "API keys", icon: <KeySquare /> },
  endpoint: { label: "Webhook endpoints", icon: <Webhook /> },
  request: { label: "Requests", icon: <ScrollText /> },
  event: { label: "Events", icon: <Zap /> },
  operation: { label: "Operations", icon: <Activity /> },
} as const;

export type FoundKind = keyof typeof foundKinds;
