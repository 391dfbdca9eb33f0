<?php

declare(strict_types=1);

namespace Box\Mod\Servicelicensedesk;

use Doctrine\DBAL\Connection;
use LicenseDesk\Panel\Desk;

/** Where orders and licenses differ. */
final class Comparison
{
    /** Statuses of a license that agree with an order's status; without an entry, there is no license. */
    private const AGREEING = [
        'active' => ['active'],
        'failed_renew' => ['active', 'expired'],
        'suspended' => ['suspended', 'expired'],
    ];

    /** @return list<string> */
    public static function differences(Connection $database, Desk $desk): array
    {
        $query = "SELECT id, status FROM client_order WHERE service_type = 'licensedesk'";
        $orders = array_column($database->fetchAllAssociative($query), 'status', 'id');
        $licenses = [];
        foreach ($desk->client->licenses->find() as $license) {
            if (str_starts_with($license['external_id'] ?? '', Order::EXTERNAL_ID) && $license['status'] !== 'terminated') {
                $licenses[(int) substr($license['external_id'], strlen(Order::EXTERNAL_ID))] = $license['status'];
            }
        }
        $differences = [];
        foreach ($orders + $licenses as $id => $_) {
            $order = $orders[$id] ?? 'deleted';
            $license = $licenses[$id] ?? 'missing';
            if (!in_array($license, self::AGREEING[$order] ?? ['missing', 'expired'], true)) {
                $differences[] = "Order #$id is $order, its license is $license.";
            }
        }
        return $differences;
    }
}
