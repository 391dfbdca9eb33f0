<?php

declare(strict_types=1);

namespace Box\Mod\Servicelicensedesk;

use Doctrine\DBAL\Connection;
use Doctrine\DBAL\Exception\UniqueConstraintViolationException;
use LicenseDesk\Panel\Memory;

/** The row of an order in `service_licensedesk`; both have the same id. */
final class Store implements Memory
{
    public function __construct(private readonly Connection $database, private readonly int $orderId)
    {
    }

    public static function install(Connection $database): void
    {
        $database->executeStatement('CREATE TABLE IF NOT EXISTS service_licensedesk (
            id BIGINT NOT NULL PRIMARY KEY,
            license_id BIGINT,
            mode VARCHAR(4),
            operation_id VARCHAR(36),
            command VARCHAR(20),
            sequence INTEGER NOT NULL,
            renewed_term VARCHAR(20),
            renewing_term VARCHAR(20),
            renewing_from VARCHAR(30),
            due_term VARCHAR(20),
            suspend_reason TEXT,
            registered_address VARCHAR(255),
            ip_changes INTEGER NOT NULL,
            ip_changes_term VARCHAR(20)
        )');
    }

    public static function uninstall(Connection $database): void
    {
        $database->executeStatement('DROP TABLE IF EXISTS service_licensedesk');
    }

    /** @return list<array<string, mixed>> of orders with a pending change, or a renewal that is due */
    public static function pending(Connection $database): array
    {
        $query = 'SELECT s.* FROM service_licensedesk s JOIN client_order o ON o.id = s.id
            WHERE s.operation_id IS NOT NULL OR s.due_term IS NOT NULL';
        return $database->fetchAllAssociative($query);
    }

    /** @return array<string, mixed>|null */
    public static function findByOperation(Connection $database, string $operationId): ?array
    {
        $query = 'SELECT * FROM service_licensedesk WHERE operation_id = :id';
        return $database->fetchAssociative($query, ['id' => $operationId]) ?: null;
    }

    public function row(): object
    {
        $row = $this->read();
        if ($row === false) {
            try {
                $this->database->executeStatement(
                    'INSERT INTO service_licensedesk (id, sequence, ip_changes) VALUES (:id, 0, 0)',
                    ['id' => $this->orderId],
                );
            } catch (UniqueConstraintViolationException) {
                // Another process inserted it meanwhile.
            }
            $row = $this->read();
        }
        return (object) $row;
    }

    public function save(array $changes): void
    {
        $columns = implode(', ', array_map(static fn (string $name): string => "$name = :$name", array_keys($changes)));
        $this->database->executeStatement(
            "UPDATE service_licensedesk SET $columns WHERE id = :id",
            $changes + ['id' => $this->orderId],
        );
    }

    public function advance(object $row): void
    {
        $this->database->executeStatement(
            'UPDATE service_licensedesk SET sequence = sequence + 1 WHERE id = :id AND sequence = :sequence',
            ['id' => $this->orderId, 'sequence' => $row->sequence],
        );
    }

    public function delete(): void
    {
        $this->database->executeStatement('DELETE FROM service_licensedesk WHERE id = :id', ['id' => $this->orderId]);
    }

    /** @return array<string, mixed>|false */
    private function read(): array|false
    {
        return $this->database->fetchAssociative('SELECT * FROM service_licensedesk WHERE id = :id', ['id' => $this->orderId]);
    }
}
