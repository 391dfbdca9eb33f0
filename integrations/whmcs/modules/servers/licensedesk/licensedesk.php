<?php

/** Server module of License Desk: one license per service. */

declare(strict_types=1);

use LicenseDesk\ApiException;
use LicenseDesk\ConnectionException;
use WHMCS\Module\Server\Licensedesk\Commands;
use WHMCS\Module\Server\Licensedesk\Desk;
use WHMCS\Module\Server\Licensedesk\Service;
use WHMCS\Service\Status;

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

require_once __DIR__ . '/lib/load.php';

function licensedesk_MetaData(): array
{
    return [
        'DisplayName' => 'License Desk',
        'APIVersion' => '1.1',
        'RequiresServer' => true,
        'DefaultNonSSLPort' => '80',
        'DefaultSSLPort' => '443',
        'ListAccountsUniqueIdentifierDisplayName' => 'License ID',
        'ListAccountsUniqueIdentifierField' => 'customfield.License ID',
        'ListAccountsProductField' => 'configoption1',
    ];
}

function licensedesk_ConfigOptions(): array
{
    return [
        'Product' => [
            'Type' => 'text',
            'Size' => '10',
            'Loader' => 'licensedesk_LoadProducts',
            'SimpleMode' => true,
            'Description' => 'The term follows the billing cycle of the service.',
        ],
        'IP changes per term' => [
            'Type' => 'text',
            'Size' => '3',
            'Default' => '3',
            'SimpleMode' => true,
            'Description' => 'How often clients can move the license themselves. 0: never.',
        ],
        'Install command' => [
            'Type' => 'textarea',
            'Rows' => '3',
            'SimpleMode' => true,
            'Description' => 'Shown to clients; {license_key} is replaced.',
        ],
    ];
}

/** @return array<int, string> */
function licensedesk_LoadProducts(array $params): array
{
    $names = [];
    foreach ((new Desk($params))->client->products() as $product) {
        $prices = array_map(static fn (array $cycle): string => "$cycle[name] $cycle[price] $cycle[currency]", $product['cycles']);
        $names[$product['product_id']] = "$product[name] (" . implode(', ', $prices) . ')';
    }
    return $names;
}

function licensedesk_CreateAccount(array $params): string
{
    return licensedesk_run('CreateAccount', $params, [Commands::class, 'create']);
}

function licensedesk_SuspendAccount(array $params): string
{
    return licensedesk_run('SuspendAccount', $params, [Commands::class, 'suspend']);
}

function licensedesk_UnsuspendAccount(array $params): string
{
    return licensedesk_run('UnsuspendAccount', $params, [Commands::class, 'unsuspend']);
}

function licensedesk_TerminateAccount(array $params): string
{
    return licensedesk_run('TerminateAccount', $params, [Commands::class, 'terminate']);
}

function licensedesk_Renew(array $params): string
{
    return licensedesk_run('Renew', $params, [Commands::class, 'renew']);
}

function licensedesk_ChangePackage(array $params): string
{
    return licensedesk_run('ChangePackage', $params, [Commands::class, 'changePackage']);
}

function licensedesk_AdminCustomButtonArray(): array
{
    return ['Move to Dedicated IP' => 'moveToDedicatedIp', 'Complete Pending Change' => 'completePending'];
}

function licensedesk_moveToDedicatedIp(array $params): string
{
    return licensedesk_run('moveToDedicatedIp', $params, [Commands::class, 'moveToDedicatedIp']);
}

function licensedesk_completePending(array $params): string
{
    return licensedesk_run('completePending', $params, static function (Service $service): void {
        $service->completePending();
        $service->refresh();
    });
}

function licensedesk_ClientAreaCustomButtonArray(): array
{
    return ['Change IP Address' => 'changeIp'];
}

/** A form, and its submission. */
function licensedesk_changeIp(array $params): array|string
{
    if (isset($_POST['new_ip'])) {
        $address = (string) $_POST['new_ip'];
        return licensedesk_run('changeIp', $params, static fn (Service $service) => Commands::changeIp($service, $address));
    }
    $service = new Service($params, 'changeIp');
    return [
        'templatefile' => 'templates/change-ip',
        'breadcrumb' => ["clientarea.php?action=productdetails&id=$params[serviceid]" => 'Change IP Address'],
        'vars' => ['address' => $params['model']->serviceProperties->get('Dedicated IP'), 'changesLeft' => Commands::ipChangesLeft($service)],
    ];
}

function licensedesk_ClientArea(array $params): array
{
    try {
        $license = licensedesk_describe($params);
    } catch (Exception) {
        $license = ['Status' => 'Unknown'];
    }
    $install = str_replace('{license_key}', $license['License Key'] ?? '', (string) ($params['configoption3'] ?? ''));
    return [
        'templatefile' => 'templates/overview',
        'vars' => ['license' => $license, 'installCommand' => isset($license['License Key']) ? $install : ''],
    ];
}

function licensedesk_AdminServicesTabFields(array $params): array
{
    try {
        $license = licensedesk_describe($params);
    } catch (Exception $failure) {
        $license = ['Status' => 'Unknown: ' . $failure->getMessage()];
    }
    return array_map('htmlspecialchars', $license);
}

/** @return array{success: bool, error: string} */
function licensedesk_TestConnection(array $params): array
{
    try {
        $missing = (new Desk($params))->missingScopes();
        $error = $missing === [] ? '' : 'The API key lacks the scopes ' . implode(', ', $missing) . '. Create one that has them.';
    } catch (ApiException $failure) {
        $error = $failure->status === 401
            ? "License Desk does not accept the API key. Paste a valid one into the server's Password field."
            : "$failure->errorCode: {$failure->getMessage()}";
    } catch (Exception $failure) {
        $error = $failure->getMessage();
    }
    return ['success' => $error === '', 'error' => $error];
}

function licensedesk_ListAccounts(array $params): array
{
    try {
        $client = (new Desk($params))->client;
        $products = array_column($client->products(), 'product_id', 'name');
        $accounts = [];
        foreach ($client->licenses->find() as $license) {
            if (in_array($license['status'], ['active', 'suspended'], true)) {
                $accounts[] = [
                    'email' => '',
                    'username' => '',
                    'domain' => '',
                    'uniqueIdentifier' => "lic_$license[license_id]",
                    'product' => (string) ($products[$license['product']] ?? ''),
                    'primaryip' => $license['ip_address'],
                    'created' => gmdate('Y-m-d H:i:s', strtotime($license['issued_at'])),
                    'status' => $license['status'] === 'active' ? Status::ACTIVE : Status::SUSPENDED,
                ];
            }
        }
        return ['success' => true, 'accounts' => $accounts];
    } catch (Exception $failure) {
        return ['success' => false, 'error' => $failure->getMessage()];
    }
}

/** @return array<string, string> what staff and clients see of the license */
function licensedesk_describe(array $params): array
{
    $service = new Service($params, 'describe');
    $row = $service->row();
    $pending = $row->command === null ? [] : ['Pending' => $row->command];
    if ($row->license_id === null) {
        return $pending;
    }
    $license = $service->client->licenses->info(['license_id' => (int) $row->license_id]);
    return [
        'License Key' => $license['license_key'],
        'Status' => ucfirst($license['status']),
        'IP Address' => $license['ip_address'],
        'Expires' => substr($license['expires_at'], 0, 10),
    ] + $pending;
}

/**
 * Clients see some outcomes, so they do not name the server.
 *
 * @param callable(Service): void $command
 */
function licensedesk_run(string $name, array $params, callable $command): string
{
    $details = '';
    try {
        $command(new Service($params, $name));
        $outcome = 'success';
    } catch (ApiException $failure) {
        $outcome = "$failure->errorCode: {$failure->getMessage()}";
        $details = (string) $failure->requestId;
    } catch (ConnectionException $failure) {
        $outcome = 'The license server did not answer. Run the command again; nothing is charged twice.';
        $details = $failure->getMessage();
    } catch (RuntimeException $failure) {
        $outcome = $failure->getMessage();
    } catch (Throwable $failure) {
        $outcome = 'An internal error: see the module log.';
        $details = (string) $failure;
    }
    $logged = array_intersect_key($params, array_flip(['serviceid', 'pid', 'serverid', 'configoption1', 'configoptions']));
    logModuleCall('licensedesk', $name, $logged, $outcome, $details, Desk::secretsOf($params));
    return $outcome;
}
