<?php

declare(strict_types=1);

namespace LicenseDesk;

/** Reads a list page by page, while it is iterated. */
final class Pages
{
    private const PAGE_SIZE = 200;

    /** @return \Generator<int, array<string, mixed>> */
    public static function read(Client $client, Operation $operation, string $field, array $filter): \Generator
    {
        $filter += ['limit' => self::PAGE_SIZE];
        do {
            $page = $client->call($operation, $filter);
            foreach ($page[$field] as $item) {
                yield $item;
            }
            $filter['cursor'] = $page['next_cursor'];
        } while ($filter['cursor'] !== null);
    }
}
