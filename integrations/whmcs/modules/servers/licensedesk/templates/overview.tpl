<div class="panel panel-default card">
  <div class="panel-body card-body">
    {foreach from=$license key=name item=value}
      <div class="row">
        <div class="col-sm-5 text-right"><strong>{$name}</strong></div>
        <div class="col-sm-7 text-left">{$value|escape}</div>
      </div>
    {foreachelse}
      <p>The license is being prepared.</p>
    {/foreach}
    {if $installCommand}
      <pre class="text-left">{$installCommand|escape}</pre>
    {/if}
  </div>
</div>
