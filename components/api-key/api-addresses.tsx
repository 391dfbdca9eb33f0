import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

const KEY = "<key>";

export interface ApiAddressesProps {
  /** Where both interfaces are, e.g. `https://desk.example/api/v1`. */
  readonly url: string;
}

/** What a program is configured with: where it calls, and how it sends its key. */
export function ApiAddresses({ url }: ApiAddressesProps) {
  const interfaces = [
    {
      name: "Path interface",
      text: "An address for each operation, such as /license/verify.",
      address: url,
      header: `Authorization: Bearer ${KEY}`,
    },
    {
      name: "Dispatch interface",
      text: "One address; the operation is a parameter, such as license.renew.",
      address: `${url}/?endpoint=`,
      header: `X-API-Key: ${KEY}`,
    },
  ];
  return (
    <Card description="Both interfaces take the same keys." title="API addresses">
      <dl className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        {interfaces.map(({ name, text, address, header }) => (
          <div className="min-w-0" key={name}>
            <dt className="font-medium text-sm">{name}</dt>
            <dd className="text-sm text-text-muted">{text}</dd>
            <dd className="mt-1.5 flex items-center gap-2 rounded-md bg-surface-sunken py-1 pr-1.5 pl-3 font-mono text-sm">
              <span className="wrap-anywhere min-w-0 flex-1">{address}</span>
              <CopyButton label={`Copy address of the ${name.toLowerCase()}`} value={address} />
            </dd>
            <dd className="wrap-anywhere mt-1 font-mono text-text-muted text-xs">{header}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
