import type { MailKind } from "#lib/domain/mail/kinds.ts";

const licenses = (factsOf: (n: number) => object) => ({
  count: 23,
  items: Array.from({ length: 20 }, (_, n) => ({
    license_id: `lic_${n + 1}`,
    type: "control_panel",
    product: n % 3 === 0 ? "Hardened Kernel" : "Server Control Panel",
    server: `web${n + 1}.northwind.example`,
    expires_at: "2027-03-20T00:00:00Z",
    ...factsOf(n),
  })),
});
const topUp = {
  reseller: "Northwind Hosting",
  amount: "1250.5",
  requested: "1300",
  currency: "EUR",
  reference: "INV-2027-0031",
  approved: false,
  note: "",
};

const accessChange = {
  name: "Ada Northwind",
  email: "ada@northwind.example",
  organization: "Northwind Hosting",
  change: "role",
  role: "owner",
  by: "Bo Northwind",
  at: "2027-03-10T12:00:00Z",
};

/** What is stored for a message of each kind. */
export const mailSamples: Readonly<Record<MailKind, unknown>> = {
  invitation: { name: "Ada Northwind", organization: "Northwind Hosting", role: "manager" },
  password_reset: { name: "Ada Northwind", organization: null },
  email_change: { name: "Ada Northwind", old: "ada@northwind.example", new: "ada.northwind@example.com" },
  email_change_new: { name: "Ada Northwind", old: "ada@northwind.example", new: "ada.northwind@example.com" },
  new_device: {
    name: "Ada Northwind",
    address: "203.0.113.7",
    user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    at: "2027-03-10T12:00:00Z",
  },
  access_changed: accessChange,
  team_access_changed: accessChange,
  low_balance: { balance: 3.2, threshold: 25, currency: "EUR" },
  runway_end: { until: "2027-03-20T00:00:00Z", count: 3, needed: "41.5", days: 14, currency: "EUR" },
  system_problems: {
    problems: ["There is no verified backup.", "3 changes wait for a provider, the oldest for 11 minutes."],
  },
  renewal_failed: {
    ...licenses((n) => ({ reason: n < 17 ? "insufficient_balance" : "price_limit", price: 14.5, currency: "EUR" })),
    unpaid: { count: 20, price: "290", currency: "EUR" },
  },
  expiring_soon: licenses((n) => ({
    auto_renew: n > 11,
    ...(n > 11 &&
      n < 16 && {
        price: 16,
        previous_price: 14.5,
        currency: "EUR",
        charged_from: n < 14 ? null : "2027-03-17T12:00:00Z",
      }),
  })),
  top_up_decided: { ...topUp, note: "No payment has arrived with this reference." },
  webhook_disabled: {
    id: "whe_7",
    url: "https://billing.northwind.example/hooks/license-desk/a-rather-long-path-that-has-to-wrap-on-a-phone",
    reason: "failing",
  },
  top_up_requested: topUp,
  new_cases: {
    count: 2,
    items: [
      { id: 1, kind: "late_success", provider: "upstream", license: "lic_12", reseller: "Northwind Hosting" },
      { id: 2, kind: "unknown_at_ours", provider: "upstream" },
    ],
  },
};
