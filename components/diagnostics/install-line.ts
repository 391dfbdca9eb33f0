/** A license of the server, with the key of its agent. */
export interface AgentKey {
  readonly licenseKey: string;
  readonly apiKey: string;
}

/** What installs the agent on a server, as root (agent/install.sh). `origin`: where the desk is. */
export function installLine(origin: string, keys: readonly AgentKey[]): string {
  const words = keys.flatMap(({ licenseKey, apiKey }) => [licenseKey, apiKey]);
  return `curl -fsS ${origin}/install.sh | sh -s -- ${words.join(" ")}`;
}

export interface CustomerMessage {
  readonly subject: string;
  readonly body: string;
}

/** What hands the line over to the server's owner. */
export function installMessage(line: string, product: string, address: string): CustomerMessage {
  return {
    subject: `Activate ${product} on ${address}`,
    body: [
      `${product} is licensed for your server ${address}.`,
      "To activate it, run this line on the server as root:",
      line,
      "The line contains a key for this server alone: do not pass it on.",
    ].join("\n\n"),
  };
}

export function mailtoOf({ subject, body }: CustomerMessage): string {
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
