<?php

declare(strict_types=1);

namespace LicenseDesk;

/**
 * A reseller's access to License Desk.
 *
 * Lost connections, 408, 429, 502 to 504, and requests that must wait for another one are retried. All attempts of a change
 * have one idempotency key, so it happens once.
 */
final class Client
{
    private const FIRST_DELAY_SECONDS = 0.5;
    private const LONGEST_BACKOFF_SECONDS = 8;
    /** For the last attempt of a call with a deadline, which may start right before that. */
    private const LEAST_TIMEOUT_SECONDS = 1;

    public readonly Licenses $licenses;
    public readonly Bundles $bundles;
    public readonly Operations $operations;
    public readonly WebhookEndpoints $webhookEndpoints;
    public readonly Events $events;
    public readonly Diagnostics $diagnostics;
    private readonly string $baseUrl;
    private readonly Transport $transport;

    /**
     * @param string $baseUrl such as `https://licenses.example`
     * @param float $timeoutSeconds limit of one attempt
     * @param int $maxRetries attempts after the first
     * @param float $longestWaitSeconds for all waits between a call's attempts together; what would take longer throws at once
     * @param float|null $longestLimitSeconds for the waits after 429 alone, besides those: a limit of requests ends within a minute
     * @param string|null $signingSecret `lss_…`, for a key with request signing
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly float $timeoutSeconds = 30,
        private readonly int $maxRetries = 4,
        private readonly float $longestWaitSeconds = 60,
        #[\SensitiveParameter] private readonly ?string $signingSecret = null,
        ?Transport $transport = null,
        private readonly ?float $longestLimitSeconds = null,
    ) {
        if (preg_match('#^https?://[^/\s]+/?$#D', $baseUrl) !== 1) {
            throw new \InvalidArgumentException("The base URL must be like https://licenses.example, not $baseUrl.");
        }
        if (preg_match('/^[!-~]+$/D', $apiKey) !== 1) {
            throw new \InvalidArgumentException('The API key is empty or has white space.');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->transport = $transport ?? (extension_loaded('curl') ? new CurlTransport() : new StreamTransport());
        $this->licenses = new Licenses($this);
        $this->bundles = new Bundles($this);
        $this->operations = new Operations($this);
        $this->webhookEndpoints = new WebhookEndpoints($this);
        $this->events = new Events($this);
        $this->diagnostics = new Diagnostics($this);
    }

    /** The API key of this client, its reseller and limits. */
    public function me(): Result
    {
        return $this->call(Operation::MeGet);
    }

    /** `me` by the dispatch interface. */
    public function meOnDispatch(): Result
    {
        return $this->call(Operation::Me);
    }

    /** Available balance of the wallet. */
    public function balance(): Result
    {
        return $this->call(Operation::Balance);
    }

    /** @return list<array<string, mixed>> products on sale with their cycles and prices */
    public function products(): array
    {
        return $this->call(Operation::Products)['products'];
    }

    /**
     * Any operation with its documented parameters; null counts as absent.
     *
     * @param array<string, mixed> $parameters
     * @param string|null $idempotencyKey for a change; default: a new one for each call
     * @param string|null $id in the path
     * @param float|null $withinSeconds no attempt starts later, and the last one has at least a second
     * @throws ApiException|ConnectionException
     */
    public function call(
        Operation $operation,
        array $parameters = [],
        ?string $idempotencyKey = null,
        ?string $id = null,
        ?float $withinSeconds = null,
    ): Result {
        // A dry run changes nothing.
        $isChange = $operation->takesKey() && ($parameters['dry_run'] ?? false) !== true;
        $key = $isChange ? $idempotencyKey ?? bin2hex(random_bytes(16)) : null;
        $parameters = array_filter($parameters, static fn (mixed $value): bool => $value !== null);
        $isUnclear = false;
        $waitedForLimit = 0;
        $waited = 0;
        $deadline = $withinSeconds === null ? INF : microtime(true) + $withinSeconds;
        for ($retries = 0; ; $retries++) {
            $timeout = min($this->timeoutSeconds, max(self::LEAST_TIMEOUT_SECONDS, $deadline - microtime(true)));
            try {
                return $this->attempt($operation, $parameters, $key, $id, $timeout);
            } catch (ApiException $failure) {
                $failure->setAttempt($key, $isUnclear);
                $isUnclear = $failure->isUnclear;
                $isTemporary = $failure->isTemporary();
                $retryAfter = $failure->retryAfterSeconds ?? 0;
                $isLimit = $failure->status === 429;
            } catch (ConnectionException $failure) {
                $failure->idempotencyKey = $key;
                $isUnclear = true;
                $isTemporary = true;
                $retryAfter = 0;
                $isLimit = false;
            }
            $hasOwnBound = $isLimit && $this->longestLimitSeconds !== null;
            $longest = $hasOwnBound ? $this->longestLimitSeconds - $waitedForLimit : $this->longestWaitSeconds - $waited;
            $left = min($longest, $deadline - microtime(true));
            if (!$isTemporary || $retries >= $this->maxRetries || $left <= 0 || $retryAfter > $left) {
                throw $failure;
            }
            $backoff = min(self::LONGEST_BACKOFF_SECONDS, self::FIRST_DELAY_SECONDS * 2 ** $retries);
            $wait = min($left, max($retryAfter, $backoff * random_int(50, 100) / 100));
            usleep((int) (1e6 * $wait));
            $hasOwnBound ? $waitedForLimit += $wait : $waited += $wait;
        }
    }

    private function attempt(Operation $operation, array $parameters, ?string $key, ?string $id, float $timeout): Result
    {
        $endpoint = $operation->endpoint();
        $query = $endpoint === null ? [] : ['endpoint' => $endpoint];
        $headers = [
            'Accept' => 'application/json',
            'User-Agent' => 'license-desk-php',
        ] + ($endpoint === null ? ['Authorization' => "Bearer $this->apiKey"] : ['X-API-Key' => $this->apiKey]);
        $body = null;
        if ($operation->method() === 'GET') {
            $query += $parameters;
        } elseif ($endpoint === null) {
            $headers['Content-Type'] = 'application/json';
            $body = json_encode((object) $parameters, JSON_THROW_ON_ERROR);
        } else {
            $headers['Content-Type'] = 'application/x-www-form-urlencoded';
            $body = self::form($parameters);
        }
        if ($key !== null) {
            $headers['Idempotency-Key'] = $key;
        }
        $path = $endpoint === null ? strtr($operation->path(), ['{id}' => rawurlencode((string) $id)]) : '/';
        $target = "/api/v1$path" . ($query === [] ? '' : '?' . self::form($query));
        if ($this->signingSecret !== null) {
            $headers['X-Signature'] = $this->sign($operation->method(), $target, $body ?? '');
        }
        $url = $this->baseUrl . $target;
        $response = $this->transport->send($operation->method(), $url, $headers, $body, $timeout);
        if ($response->status >= 300) {
            throw ApiException::from($response);
        }
        $answer = Json::decodeObject($response->body) ?? throw new ConnectionException('The response is not JSON.');
        return new Result(
            $this,
            $response->status,
            $endpoint === null ? $answer : $answer['data'] ?? throw new ConnectionException('The response is not of the API.'),
            $answer['message'] ?? '',
            $response->isReplayed(),
            $response->headers['x-request-id'] ?? null,
        );
    }

    /** @param array<string, mixed> $fields */
    private static function form(array $fields): string
    {
        $asText = static fn (mixed $value): mixed => match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            is_array($value) => implode(',', $value),
            default => $value,
        };
        return http_build_query(array_map($asText, $fields), '', '&', PHP_QUERY_RFC3986);
    }

    private function sign(string $method, string $target, string $body): string
    {
        $stamp = time() . '.' . bin2hex(random_bytes(8));
        $signed = "$stamp.$method.$target." . hash('sha256', $body);
        [$time, $nonce] = explode('.', $stamp);
        return "t=$time,n=$nonce,v1=" . hash_hmac('sha256', $signed, (string) $this->signingSecret);
    }

    /** Keeps the key out of dumps. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }
}
