<?php

/** Server module of License Desk: one license per service. */

declare(strict_types=1);

use LicenseDesk\Panel\Failure;
use WHMCS\Module\Server\Licensedesk\Server;
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
    return Server::desk($params)->productLabels();
}

function licensedesk_CreateAccount(array $params): string
{
    return licensedesk_run('CreateAccount', $params, static fn (Service $service) => $service->create());
}

function licensedesk_SuspendAccount(array $params): string
{
    return licensedesk_run('SuspendAccount', $params, static fn (Service $service) => $service->suspend());
}

function licensedesk_UnsuspendAccount(array $params): string
{
    return licensedesk_run('UnsuspendAccount', $params, static fn (Service $service) => $service->subscription->unsuspend());
}

function licensedesk_TerminateAccount(array $params): string
{
    return licensedesk_run('TerminateAccount', $params, static fn (Service $service) => $service->subscription->terminate());
}

function licensedesk_Renew(array $params): string
{
    return licensedesk_run('Renew', $params, static fn (Service $service) => $service->renew());
}

function licensedesk_ChangePackage(array $params): string
{
    return licensedesk_run('ChangePackage', $params, static fn (Service $service) => $service->changePackage());
}

function licensedesk_AdminCustomButtonArray(): array
{
    return ['Move to Dedicated IP' => 'moveToDedicatedIp', 'Complete Pending Change' => 'completePending'];
}

function licensedesk_moveToDedicatedIp(array $params): string
{
    return licensedesk_run('moveToDedicatedIp', $params, static fn (Service $service) => $service->moveToDedicatedIp());
}

function licensedesk_completePending(array $params): string
{
    return licensedesk_run('completePending', $params, static fn (Service $service) => $service->completePending());
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
        return licensedesk_run('changeIp', $params, static fn (Service $service) => $service->changeIp($address));
    }
    $service = new Service($params, 'changeIp');
    return [
        'templatefile' => 'templates/change-ip',
        'breadcrumb' => ["clientarea.php?action=productdetails&id=$params[serviceid]" => 'Change IP Address'],
        'vars' => ['address' => $service->dedicatedIp(), 'changesLeft' => $service->ipChangesLeft()],
    ];
}

function licensedesk_ClientArea(array $params): array
{
    try {
        $license = (new Service($params, 'describe'))->subscription->describe();
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
        $license = (new Service($params, 'describe'))->subscription->describe();
    } catch (Exception $failure) {
        $license = ['Status' => 'Unknown: ' . $failure->getMessage()];
    }
    return array_map('htmlspecialchars', $license);
}

/** @return array{success: bool, error: string} */
function licensedesk_TestConnection(array $params): array
{
    try {
        $error = Server::desk($params)->testConnection();
    } catch (Exception $failure) {
        $error = $failure->getMessage();
    }
    return ['success' => $error === '', 'error' => $error];
}

function licensedesk_ListAccounts(array $params): array
{
    try {
        $accounts = [];
        foreach (Server::desk($params)->client->licenses->find() as $license) {
            if (in_array($license['status'], ['active', 'suspended'], true)) {
                $accounts[] = [
                    'email' => '',
                    'username' => '',
                    'domain' => '',
                    'uniqueIdentifier' => "lic_$license[license_id]",
                    'product' => (string) $license['product_id'],
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

/** @param callable(Service): void $command */
function licensedesk_run(string $name, array $params, callable $command): string
{
    $details = '';
    try {
        $command(new Service($params, $name));
        $outcome = 'success';
    } catch (Throwable $failure) {
        $outcome = Failure::describe($failure);
        $details = Failure::details($failure);
    }
    $logged = array_intersect_key($params, array_flip(['serviceid', 'pid', 'serverid', 'configoption1', 'configoptions']));
    logModuleCall('licensedesk', $name, $logged, $outcome, $details, Server::secretsOf($params));
    return $outcome;
}
