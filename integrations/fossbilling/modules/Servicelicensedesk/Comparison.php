<?php

declare(strict_types=1);

namespace Box\Mod\Servicelicensedesk;

use Doctrine\DBAL\Connection;
use LicenseDesk\Panel\Desk;

/** Where orders and licenses differ. */
final class Comparison
{
    /** Statuses of a license that agree with an order's status; without an entry, there is none or it has ended. */
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
                $licenses[(int) substr($license['external_id'], strlen(Order::EXTERNAL_ID))] = $license;
            }
        }
        $differences = [];
        foreach ($orders + $licenses as $id => $_) {
            $order = $orders[$id] ?? 'deleted';
            $status = $licenses[$id]['status'] ?? 'missing';
            $agrees = isset(self::AGREEING[$order])
                ? in_array($status, self::AGREEING[$order], true)
                : ($licenses[$id]['days_remaining'] ?? 0) === 0;
            if (!$agrees) {
                $differences[] = "Order #$id is $order, its license is $status.";
            }
        }
        return $differences;
    }
}
