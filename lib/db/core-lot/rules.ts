/**
 * Invariants of paid terms, lots and credits, independent of the database functions that enforce them. Each query
 * selects the reseller and what violates the rule, as text.
 */

/** Credits that count: those of a rejected operation are void. */
const inForce = `
  select c.*, o.state, o.price, o.created_at, o.license_id as for_license_id
    from core_credits c left join operations o on o.id = c.operation_id where o.state is distinct from 'rejected'`;

/** The paid terms of each license, cut where any later one starts or the license ends. */
const terms = `
  select t.id, t.license_id, t.starts_at,
         least(t.ends_at, l.expires_at,
               min(t.starts_at) over (partition by t.license_id order by t.id desc rows between unbounded preceding and 1 preceding)) as ends_at
    from paid_terms t join licenses l on l.id = t.license_id`;

export const coreLotRules: Readonly<Record<string, string>> = {
  "a lot gives up no more cores, and no more money, than it has": `
    select lot.reseller_id, 'lot ' || lot.id from core_lots lot join (${inForce}) c on c.lot_id = lot.id
     group by lot.id, lot.reseller_id having sum(c.cores) > lot.cores or sum(c.amount) > lot.amount`,
  "a lot counts the cores that settled credits have removed": `
    select lot.reseller_id, 'lot ' || lot.id from core_lots lot
      left join (${inForce}) c on c.lot_id = lot.id and coalesce(c.state, 'succeeded') = 'succeeded'
     group by lot.id, lot.reseller_id, lot.removed_cores having coalesce(sum(c.cores), 0) <> lot.removed_cores`,
  "the lots of a change of cores add up to its charge, and those of a renewal to no more": `
    select o.reseller_id, 'operation ' || o.id from operations o join core_lots lot on lot.operation_id = o.id
     group by o.id, o.reseller_id having o.state <> 'succeeded' or sum(lot.amount) > o.price or (o.kind = 'license_change_core' and sum(lot.amount) <> o.price)
    union all
    select o.reseller_id, 'operation ' || o.id from operations o
     where o.state = 'succeeded' and o.kind = 'license_change_core' and o.price > 0
       and not exists (select from core_lots lot where lot.operation_id = o.id)`,
  "what an operation credits comes from lots of its license, to the unit": `
    select o.reseller_id, 'operation ' || o.id from operations o
      left join core_credits c on c.operation_id = o.id left join core_lots lot on lot.id = c.lot_id
     where o.price < 0 or c.id is not null
     group by o.id, o.reseller_id having coalesce(sum(c.amount), 0) <> -o.price or not bool_and(lot.license_id = o.license_id)`,
  "elapsed time is never credited, and never more than the share of the amount": `
    select c.reseller_id, 'operation ' || c.operation_id from (${inForce}) c join core_lots lot on lot.id = c.lot_id where c.operation_id is not null
     group by c.operation_id, c.reseller_id
    having not bool_and(c.credited_from >= greatest(c.created_at, lot.starts_at))
        or sum(c.amount) > 0.000001 + sum(lot.amount * c.cores * greatest(0, extract(epoch from lot.ends_at - c.credited_from))
                                          / (lot.cores * extract(epoch from lot.ends_at - lot.starts_at)))`,
  "credits and refunds of a charge together are never more than the charge": `
    select o.reseller_id, 'operation ' || o.id from operations o
      join (select lot.operation_id, sum(c.amount) as total from core_lots lot join (${inForce}) c on c.lot_id = lot.id group by 1) credits
        on credits.operation_id = o.id
     where credits.total > -(select coalesce(sum(e.amount), 0) from ledger_entries e where e.operation_id = o.id)`,
  "a lot lies in a paid term of its license": `
    select lot.reseller_id, 'lot ' || lot.id from core_lots lot join paid_terms t on t.id = lot.paid_term_id
     where lot.license_id <> t.license_id or lot.starts_at < t.starts_at or lot.ends_at > t.ends_at`,
  "in each paid term ahead the live lots are the cores beyond the first": `
    select l.reseller_id, 'license ' || l.id || ', paid term ' || t.id from licenses l join (${terms}) t on t.license_id = l.id
      left join (select lot.paid_term_id, sum(lot.cores) as cores from core_lots lot group by 1) bought on bought.paid_term_id = t.id
      left join (select lot.paid_term_id, sum(c.cores) as cores
                   from core_lots lot join (${inForce}) c on c.lot_id = lot.id and coalesce(c.state, 'succeeded') = 'succeeded' group by 1) gone
        on gone.paid_term_id = t.id
     where l.cores is not null and t.ends_at > greatest(t.starts_at, l.updated_at)
       and coalesce(bought.cores, 0) - coalesce(gone.cores, 0) <> l.cores - 1`,
  "the paid terms of a running license reach to its end without a gap": `
    select l.reseller_id, 'license ' || l.id from licenses l
     where l.cores is not null and l.provisioned_at is not null and l.expires_at > l.updated_at
       and (select coalesce(sum(t.ends_at - greatest(t.starts_at, l.updated_at)), interval '0') from (${terms}) t
             where t.license_id = l.id and t.ends_at > greatest(t.starts_at, l.updated_at))
           <> l.expires_at - greatest(l.updated_at, l.anchored_at)`,
};
