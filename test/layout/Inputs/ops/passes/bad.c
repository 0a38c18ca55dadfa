/* n->op >= IR_ADD in a comment is nobody's business. */
bool sums(const ir_node *n)
{
    return n->op >= IR_ADD && n->op <= IR_SUB;
}

const char *name(const ir_node *n)
{
    if (IR_SUB < n->op || n->order >= IR_RELEASE) return "";
    switch (n->op) {
    case IR_ADD ... IR_SUB: return "sum";
    }
    return names[n->op - IR_ADD];
}
