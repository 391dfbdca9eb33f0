/** `Mail Gateway on mx1.example.com`: product, and host name or address. Parameters are table aliases. */
export function licenseLabel(license: string, product: string): string {
  return `${product}.name || ' on ' || coalesce(nullif(${license}.hostname, ''), ${license}.ip_address)`;
}

/** `Hosting Suite on 203.0.113.7` */
export function bundleLabel(instance: string, bundle: string): string {
  return `${bundle}.name || ' on ' || ${instance}.ip_address`;
}
