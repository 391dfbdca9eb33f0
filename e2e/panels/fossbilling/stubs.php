<?php

/** As much of FOSSBilling 0.8 and its libraries as the module uses. */

declare(strict_types=1);

namespace {
    class Box_Event
    {
        public function __construct(private readonly \Pimple\Container $di)
        {
        }

        public function getDi(): \Pimple\Container
        {
            return $this->di;
        }
    }

    class Box_App
    {
        /** @var array<string, array{string, string}> */
        public array $posts = [];

        public function post(string $url, string $method, array $conditions, string $class): void
        {
            $this->posts[$url] = [$class, $method];
        }
    }

    function __trans(string $text): string
    {
        return $text;
    }
}

namespace Pimple {
    class Container extends \ArrayObject
    {
    }
}

namespace FOSSBilling {
    class Exception extends \Exception
    {
    }

    class InformationException extends Exception
    {
    }

    interface InjectionAwareInterface
    {
    }
}

namespace FOSSBilling\Api {
    class AbstractApi
    {
        public function __construct(private readonly \Pimple\Container $di, private readonly object $identity)
        {
        }

        public function getDi(): \Pimple\Container
        {
            return $this->di;
        }

        public function getIdentity(): object
        {
            return $this->identity;
        }

        public function getService(): object
        {
            return $this->di['mod_service']('servicelicensedesk');
        }

        protected function checkPermissions(string $module, string $permission): void
        {
            if (!isset($this->getService()->getModulePermissions()[$permission])) {
                throw new \FOSSBilling\Exception("No permission $module.$permission");
            }
        }
    }
}

namespace FOSSBilling\Validation\Api {
    #[\Attribute]
    class RequiredParams
    {
        public function __construct(public readonly array $names)
        {
        }
    }
}

namespace FOSSBilling\Http {
    class ResponseFactory
    {
        public function html(string $content, int $statusCode, array $headers): \Symfony\Component\HttpFoundation\Response
        {
            return new \Symfony\Component\HttpFoundation\Response($content, $statusCode, $headers);
        }
    }
}

namespace Symfony\Component\HttpFoundation {
    class Response
    {
        public function __construct(public readonly string $content, public readonly int $status, public readonly array $headers)
        {
        }
    }
}

namespace Box\Mod\Product\Entity {
    class Product
    {
        public function __construct(private readonly string $config)
        {
        }

        public function getConfig(): string
        {
            return $this->config;
        }
    }
}

namespace Doctrine\DBAL\Exception {
    class UniqueConstraintViolationException extends \RuntimeException
    {
    }
}

namespace Doctrine\DBAL {
    class Connection
    {
        private readonly \PDO $pdo;

        public function __construct(private readonly string $file)
        {
            $this->pdo = new \PDO("sqlite:$file", options: [\PDO::ATTR_TIMEOUT => 10]);
        }

        public function executeStatement(string $sql, array $parameters = []): int
        {
            try {
                // Another process inserts the same row first.
                if (str_starts_with($sql, 'INSERT') && @unlink("$this->file.race")) {
                    $this->query($sql, $parameters);
                }
                return $this->query($sql, $parameters)->rowCount();
            } catch (\PDOException $failure) {
                $isDuplicate = str_contains($failure->getMessage(), 'UNIQUE');
                throw $isDuplicate ? new Exception\UniqueConstraintViolationException($sql) : $failure;
            }
        }

        public function fetchAllAssociative(string $sql, array $parameters = []): array
        {
            return $this->query($sql, $parameters)->fetchAll(\PDO::FETCH_ASSOC);
        }

        public function fetchAssociative(string $sql, array $parameters = []): array|false
        {
            return $this->fetchAllAssociative($sql, $parameters)[0] ?? false;
        }

        private function query(string $sql, array $parameters): \PDOStatement
        {
            $statement = $this->pdo->prepare($sql);
            $statement->execute($parameters);
            return $statement;
        }
    }
}
