/** `Mail Gateway on mx1.example.com`: what was sold, and the host name or else the address. By the aliases of the tables. */
export function licenseLabel(license: string, product: string): string {
  return `${product}.name || ' on ' || coalesce(nullif(${license}.hostname, ''), ${license}.ip_address)`;
}

/** `Hosting Suite on 203.0.113.7` */
export function bundleLabel(instance: string, bundle: string): string {
  return `${bundle}.name || ' on ' || ${instance}.ip_address`;
}
