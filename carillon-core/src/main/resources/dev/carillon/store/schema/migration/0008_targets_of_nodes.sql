-- What programs register in code is known to all nodes, so that a server accepts schedules that another program runs.
-- No foreign key: the row of a node goes when the node is gone, what it could do is remembered for a while.
create table carillon.node_target (
  node_id uuid        not null,
  label   text        not null,
  seen_at timestamptz not null,
  primary key (node_id, label)
);
comment on table carillon.node_target is
  'The labels whose targets are registered in the code of a node, as of when it joined last.';
