<form method="post" action="clientarea.php?action=productdetails">
  <input type="hidden" name="token" value="{$token}">
  <input type="hidden" name="id" value="{$serviceid}">
  <input type="hidden" name="modop" value="custom">
  <input type="hidden" name="a" value="changeIp">
  <p>The license is bound to {$address|escape}. Changes left in this term: {$changesLeft}.</p>
  <div class="form-group">
    <label for="new_ip">New IP address</label>
    <input class="form-control" id="new_ip" name="new_ip" required>
  </div>
  <button class="btn btn-primary" {if $changesLeft eq 0}disabled{/if}>Change IP</button>
</form>
