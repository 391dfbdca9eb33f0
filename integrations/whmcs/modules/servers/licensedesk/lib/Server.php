<?php

declare(strict_types=1);

namespace WHMCS\Module\Server\Licensedesk;

use LicenseDesk\Panel\Desk;
use WHMCS\Database\Capsule;

/** A server record: host name, Password (API key) and Access Hash (webhook secret). */
final class Server
{
    /** @param array<string, mixed> $params as the panel passes them to module functions */
    public static function desk(array $params): Desk
    {
        $host = (string) ($params['serverhostname'] ?: $params['serverip']);
        if (empty($params['serversecure']) && $host !== '127.0.0.1') {
            throw new \RuntimeException('Tick "Use SSL for Connections" in the server: the API key is never sent unencrypted.');
        }
        if (empty($params['serverpassword'])) {
            throw new \RuntimeException("The server has no API key. Paste it into the server's Password field.");
        }
        $port = empty($params['serverport']) ? '' : ":$params[serverport]";
        return new Desk((empty($params['serversecure']) ? 'http' : 'https') . "://$host$port", $params['serverpassword']);
    }

    /** @return array<string, mixed>|null its fields as the panel passes them to module functions */
    public static function find(int $serverId): ?array
    {
        $server = Capsule::table('tblservers')->where('id', $serverId)->where('type', 'licensedesk')->first();
        if ($server === null) {
            return null;
        }
        $decrypt = static fn (string $text): string => localAPI('DecryptPassword', ['password2' => $text])['password'];
        // Some versions of WHMCS encrypt it.
        $secret = str_starts_with($server->accesshash, 'whsec_') ? $server->accesshash : $decrypt($server->accesshash);
        return [
            'serverhostname' => $server->hostname,
            'serverip' => $server->ipaddress,
            'serverport' => $server->port,
            'serversecure' => $server->secure === 'on',
            'serverpassword' => $decrypt($server->password),
            'serveraccesshash' => $secret,
        ];
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
}
