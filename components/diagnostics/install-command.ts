const AGENT = "/usr/local/bin/license-desk-agent";
const MINUTES = 60;

/**
 * What sets the agent up (docs/agent.md). An API key is to be pasted into its first line, and a license's key into the
 * second where none is given: until then it changes nothing. All of it is one subshell, so that stopping does not close
 * the shell that it was pasted into. The minute comes from the licenses, so that not all servers ask at once.
 */
export function installCommand(origin: string, licenseKeys: readonly string[]): string {
  const own = licenseKeys.length === 0;
  const keys = own ? "$LICENSE_KEY" : licenseKeys.join(" ");
  const minute = [...keys].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % MINUTES;
  return [
    "API_KEY='paste the agent key here'",
    ...(own ? ["LICENSE_KEY='paste the license key here'"] : []),
    "(",
    "set -e",
    stopUnlessPasted("API_KEY", "agent key"),
    ...(own ? [stopUnlessPasted("LICENSE_KEY", "license key")] : []),
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
    ")",
  ].join("\n");
}

/** A key has no spaces; what is to be replaced by one does. */
function stopUnlessPasted(variable: string, name: string): string {
  return `case $${variable} in "" | *" "*) echo "Paste the ${name} into ${variable} first." >&2; exit 1 ;; esac`;
}
