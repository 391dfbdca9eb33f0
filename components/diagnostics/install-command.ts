const AGENT = "/usr/local/bin/license-desk-agent";
const MINUTES = 60;

/**
 * What sets the agent up (docs/agent.md); `API_KEY` is set before it, and `LICENSE_KEY` where no license is named. The
 * minute comes from the licenses, so that not all servers ask at once.
 */
export function installCommand(origin: string, licenseKeys: readonly string[]): string {
  const keys = licenseKeys.length === 0 ? "$LICENSE_KEY" : licenseKeys.join(" ");
  const minute = [...keys].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % MINUTES;
  return [
    `curl -fsS -o ${AGENT} ${origin}/agent.sh`,
    `chmod 755 ${AGENT}`,
    "(umask 077; cat >/etc/license-desk.conf <<END",
    `LICENSE_DESK_URL=${origin}`,
    "LICENSE_DESK_API_KEY=$API_KEY",
    `LICENSE_DESK_LICENSE_KEY=${keys}`,
    "END",
    ")",
    `echo '${minute} * * * * root ${AGENT}' >/etc/cron.d/license-desk`,
    `${AGENT} -v`,
  ].join("\n");
}
