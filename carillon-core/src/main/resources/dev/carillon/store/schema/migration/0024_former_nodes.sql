-- Runs keep the id of the node they ran on. What it was called is known also after it has left.
create table carillon.former_node (
  id      uuid        primary key,
  name    text        not null,
  seen_at timestamptz not null
);
create index former_node_seen_at on carillon.former_node (seen_at);
comment on table carillon.former_node is 'Nodes that left or died, by which the history of runs names them.';
