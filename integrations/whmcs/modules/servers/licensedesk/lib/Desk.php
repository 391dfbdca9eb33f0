<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use LicenseDesk\Client;
use WHMCS\Database\Capsule;

/** The License Desk of a server record: host name, Password (API key) and Access Hash (webhook secret). */
final class Desk
{
    private const MONTHS = [
        'Monthly' => 1, 'Quarterly' => 3, 'Semi-Annually' => 6, 'Annually' => 12, 'Biennially' => 24, 'Triennially' => 36,
    ];

    private const SCOPES = ['licenses:read', 'licenses:write', 'licenses:terminate', 'catalog:read'];

    public readonly Client $client;

    /** @param array<string, mixed> $params as the panel passes them to module functions */
    public function __construct(private readonly array $params)
    {
        $host = (string) ($params['serverhostname'] ?: $params['serverip']);
        if (empty($params['serversecure']) && $host !== '127.0.0.1') {
            throw new \RuntimeException('Tick "Use SSL for Connections" in the server: the API key is never sent unencrypted.');
        }
        if (empty($params['serverpassword'])) {
            throw new \RuntimeException("The server has no API key. Paste it into the server's Password field.");
        }
        $port = empty($params['serverport']) ? '' : ":$params[serverport]";
        $url = (empty($params['serversecure']) ? 'http' : 'https') . "://$host$port";
        // An admin's page waits for the answer.
        $this->client = new Client($url, $params['serverpassword'], timeoutSeconds: 15, maxRetries: 3, longestWaitSeconds: 5);
    }

    public static function ofServer(int $serverId): ?self
    {
        $server = Capsule::table('tblservers')->where('id', $serverId)->where('type', 'licensedesk')->first();
        if ($server === null) {
            return null;
        }
        $decrypt = static fn (string $text): string => localAPI('DecryptPassword', ['password2' => $text])['password'];
        return new self([
            'serverhostname' => $server->hostname,
            'serverip' => $server->ipaddress,
            'serverport' => $server->port,
            'serversecure' => $server->secure === 'on',
            'serverpassword' => $decrypt($server->password),
            // Some versions of WHMCS encrypt it.
            'serveraccesshash' => str_starts_with($server->accesshash, 'whsec_') ? $server->accesshash : $decrypt($server->accesshash),
        ]);
    }

    /** @return list<string> what the key cannot do */
    public function missingScopes(): array
    {
        return array_values(array_diff(self::SCOPES, $this->client->me()['key']['scopes']));
    }

    public function webhookSecret(): string
    {
        return trim((string) $this->params['serveraccesshash']);
    }

    /**
     * What must not appear in a log.
     *
     * @param array<string, mixed> $params
     * @return list<string>
     */
    public static function secretsOf(array $params): array
    {
        $secrets = [$params['serverpassword'] ?? '', trim((string) ($params['serveraccesshash'] ?? ''))];
        return array_values(array_filter($secrets));
    }

    /** @return array<string, mixed>|null null if it is no longer on sale */
    public function findProduct(int $productId): ?array
    {
        $found = array_filter($this->client->products(), static fn (array $one): bool => $one['product_id'] === $productId);
        return array_values($found)[0] ?? null;
    }

    /** @param array<string, mixed> $product */
    public function cycleFor(array $product, string $billingCycle): int
    {
        foreach ($product['cycles'] as $cycle) {
            if ($cycle['months'] === (self::MONTHS[$billingCycle] ?? 0)) {
                return $cycle['cycle_id'];
            }
        }
        throw new \RuntimeException("$product[name] is not sold for the billing cycle $billingCycle.");
    }
}
